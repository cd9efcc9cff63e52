// What differs from run to run, replaced by names, so that everything else can be compared byte
// for byte: session uids, times, request ids, the build's version.

/// Replaces volatile parts of a transcript.
struct Redaction {
    private var replacements: [(text: String, name: String)] = []

    /// Every occurrence of `text` becomes `name`.
    mutating func replace(_ text: String?, with name: String) {
        guard let text, !text.isEmpty, !replacements.contains(where: { $0.text == text })
        else { return }
        replacements.append((text, name))
    }

    func apply(to transcript: String) -> String {
        var text = transcript
        for (number, uid) in Self.uids(in: text).enumerated() {
            text.replace(uid, with: "<uid-\(number + 1)>")
        }
        for (old, new) in replacements { text.replace(old, with: new) }
        text.replace(#/"(createdAt|time|oldestTime)": ?"[0-9T:.Z+-]+"/#) {
            "\"\($0.output.1)\": \"<time>\""
        }
        text.replace(#/"instance": ?"[^"]*"/#) { _ in "\"instance\": \"<request-id>\"" }
        text.replace(#/(?m)^Traitd-Request-Id: .*$/#) { _ in "Traitd-Request-Id: <request-id>" }
        text.replace(#/"requestId": ?"[^"]*"/#) { _ in "\"requestId\": \"<request-id>\"" }
        text.replace(#/"lagMs": ?[0-9]+/#) { _ in "\"lagMs\": <number>" }
        text.replace(#/(?m)^Server: traitd.*$/#) { _ in "Server: traitd <version>" }
        return text
    }

    /// A redacted text as it was, by what the names stand for in a transcript that goes before it.
    func reveal(_ text: String, in transcript: String) -> String {
        guard text.contains("<") else { return text }
        var text = text
        for (number, uid) in Self.uids(in: transcript).enumerated() {
            text.replace("<uid-\(number + 1)>", with: uid)
        }
        for (old, new) in replacements { text.replace(new, with: old) }
        return text
    }

    /// The uids of sessions in order of appearance, wherever one is named as such: as a member,
    /// in an ETag, in a token.
    static func uids(in text: String) -> [String] {
        var uids: [String] = []
        let pattern = #/"uid": ?"([a-z0-9]{12})"|"([a-z0-9]{12})\.[0-9]/#
        for match in text.matches(of: pattern) {
            let uid = String(match.output.1 ?? match.output.2 ?? "")
            if !uids.contains(uid) { uids.append(uid) }
        }
        return uids
    }
}
