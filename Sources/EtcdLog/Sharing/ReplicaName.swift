// The names of processes that share the log, for people. A process writes its name beside its versions, under a key of
// its own: a process that starts again within the lifetime of its last lease has the same name twice for a while, and
// so do processes that are given one name by mistake.

package enum ReplicaName {
    /// The prefix of the name in the value of a process's key.
    static let word = "id"

    /// 1 to 64 letters, digits, dots, hyphens and underscores of ASCII, of which the first is a letter or a digit.
    package static func isValid(_ name: some StringProtocol) -> Bool {
        let bytes = name.utf8
        return (1...64).contains(bytes.count) && bytes.first.map(isAlphanumeric) == true
            && bytes.allSatisfy { isAlphanumeric($0) || ".-_".utf8.contains($0) }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// The names of registered processes, in order. One without a valid name has its key's tag, and those that share
    /// a name have both.
    static func all(in values: [EtcdKeyValue], _ keys: Keys) -> [String] {
        var tags: [String: [String]] = [:]
        var names: [String] = []
        for value in values {
            guard let tag = Keys.rest(of: value.key, after: keys.replicas) else { continue }
            if let name = facts(in: value.value)[Substring(word)], isValid(name) {
                tags[String(name), default: []].append(tag)
            } else {
                names.append(tag)
            }
        }
        for (name, tags) in tags {
            names += tags.count == 1 ? [name] : tags.map { "\(name) (\($0))" }
        }
        return names.sorted()
    }

    /// The description that a process writes of itself: words with a value behind `=`.
    static func facts(in text: [UInt8]) -> [Substring: Substring] {
        var facts: [Substring: Substring] = [:]
        for word in String(decoding: text, as: UTF8.self).split(separator: " ") {
            let parts = word.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { facts[parts[0]] = parts[1] }
        }
        return facts
    }
}
