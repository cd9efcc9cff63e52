// What two right answers may differ in is masked: ids, terms, sizes, the rest of a lease's time, tokens, and the numbers of
// leases, which become their places.

enum Normal {
    private static let masked = [
        "cluster_id", "member_id", "raft_term", "dbSize", "dbSizeInUse", "leader", "raftIndex",
        "raftTerm", "raftAppliedIndex", "memberID", "token",
    ]

    static func text(_ body: [UInt8], _ leases: [Int64], masksTime: Bool) -> String {
        var values: [Substring] = []
        let text = String(decoding: body, as: UTF8.self)
        var numbers: [Substring: Int] = [:]
        for (place, lease) in leases.enumerated() { numbers[Substring(String(lease))] = place }
        // Texts between quotes: names, values, and what is between them.
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            let name = index >= 2 ? parts[index - 2] : ""
            if index >= 2, parts[index - 1] == ":", masked.contains(String(name)) {
                values.append("?")
            } else if masksTime, name == "TTL", part != "-1" {
                values.append("?")
            } else if name == "ID" || name == "lease", let place = numbers[part] {
                values.append("@\(place)")
            } else if part.hasPrefix("memberID:") {
                values.append("memberID:?\(part.drop { $0 != " " })")
            } else {
                values.append(part)
            }
        }
        return sortingKeys(values.joined(separator: "\""))
    }

    /// etcd lists the keys of a lease in no order.
    private static func sortingKeys(_ text: String) -> String {
        let mark = "\"keys\":["
        guard let start = text.firstRange(of: mark) else { return text }
        let rest = text[start.upperBound...]
        let list = rest.prefix { $0 != "]" }
        let keys = list.split(separator: ",").sorted().joined(separator: ",")
        return text[..<start.upperBound] + keys + rest.dropFirst(list.count)
    }
}
