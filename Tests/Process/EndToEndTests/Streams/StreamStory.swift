// A short history with everything in it that a stream can get wrong: revisions of several parts,
// revisions that notify only some registrations, one that notifies none.

import TestSupport

/// The sample session with three registrations and some commits.
struct StreamStory {
    let session: SessionClient
    /// Revision before the story's first commit, and after its last.
    let start: Int64
    let head: Int64

    /// The last commit reaches every registration and every watch of the theme at the cell.
    init(_ label: String) throws {
        session = try sampleSession(label)
        try session.transaction([
            .register("top", at: "scene", ["theme"]),
            .register("list", at: "list", ["theme", "containedInSettings"]),
            .register("cell", at: "cell0", ["theme"]),
        ])
        start = try session.revision()
        head = try Self.play(on: session)
    }

    /// Plays the commits; gives back the last one's revision.
    @discardableResult
    static func play(on session: SessionClient) throws -> Int64 {
        try session.override("theme", at: "scene", "bold")
        try session.override("containedInSettings", at: "child", true)
        try session.transaction([
            .setOverride("theme", at: "scene", "monochrome"),
            .setOverride("theme", at: "list", "pastel"),
            .setOverride("containedInSettings", at: "list", false),
        ])
        try session.override("displayScale", at: "window", 3)
        try session.removeOverride("theme", at: "list")
        try session.send("PATCH", "nodes/list", ["parent": "parentView"]).success()
        let last = try session.transaction([
            .removeOverride("theme", at: "scene"),
            .removeOverride("containedInSettings", at: "child"),
        ])
        return try last.json["revision"]?.int ?? 0
    }

    /// Everything after `from` up to the head, `begin` included, as one stream carries it.
    func records(_ path: String, from: String) throws -> [StreamRecord] {
        let stream = try session.stream(path + (path.contains("?") ? "&" : "?") + "from=" + from)
        defer { stream.close() }
        return try stream.collect(throughRevision: head)
    }

    /// The same by long polls that never wait, `limit` records at a time.
    func polled(_ path: String, from: String, limit: Int) throws -> [JSON] {
        var records: [JSON] = []
        var from = from
        while true {
            let page = try session.get(
                path + (path.contains("?") ? "&" : "?") + "wait=0&limit=\(limit)&from=\(from)"
            ).expecting(200).json
            let more = page["records"]?.array ?? []
            guard let next = page["next"]?.string, !more.isEmpty else { return records }
            records += more
            from = next
        }
    }
}
