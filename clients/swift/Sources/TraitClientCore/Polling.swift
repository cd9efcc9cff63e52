// Long polls, for a proxy that holds streams back: when to take them, and what their answers say.

/// Counts the streams that stay silent, and says how long the next long poll may take.
package struct Polling: Sendable, Hashable {
    /// Silent streams, one after the other, before the first long poll.
    private static let silentMax = 2
    private static let waitMillisecondsMin = 1000

    /// Whether the next request is a long poll.
    package private(set) var isOn = false
    package private(set) var waitMilliseconds = 25_000
    private var silent = 0

    package init() {}

    /// Counts a lost connection.
    /// - Parameters:
    ///   - isSilent: whether the connection is lost because nothing came in time.
    ///   - isMute: whether no record came after the first half of a heartbeat. Such a proxy may pass the first records.
    package mutating func lose(isSilent: Bool, isMute: Bool) {
        if isOn {
            // The network may be another one now. One more silent stream leads back.
            (isOn, silent) = (false, Self.silentMax - 1)
            waitMilliseconds = max(waitMilliseconds / 2, Self.waitMillisecondsMin)
        } else if isSilent {
            silent = isMute ? silent + 1 : 0
            isOn = silent >= Self.silentMax
        }
    }
}

/// The answer to a long poll.
package struct StreamPage: Sendable, Hashable {
    /// The records of the page.
    package let records: [StreamRecord]
    /// What the end of the page says: its revision, its digest if it has one, and the token of the next page. Nil if that
    /// revision is lower than the one before.
    package let bookmark: StreamRecord?

    /// Reads a page. Complexity: O(n).
    /// - Parameter last: the revision before the page, or nil if the page may begin at any.
    /// - Throws: ``MalformedRecord`` when the answer is no page, or one of its records is malformed.
    package init(json: some Collection<UInt8>, after last: Int64?) throws(MalformedRecord) {
        let page = try MalformedRecord.reading(json)
        guard let records = page["records"]?.array else {
            throw MalformedRecord(reason: "The answer is no page of records", type: nil)
        }
        var read: [StreamRecord] = []
        for record in records { read.append(try StreamRecord(record)) }
        self.records = read
        let before = read.last { $0.revision != nil }?.revision ?? last ?? 0
        guard let revision = page["revision"]?.integer, revision >= before else {
            bookmark = nil
            return
        }
        var members: TraitObject = ["type": "bookmark", "revision": .integer(revision)]
        members["token"] = page["next"]
        members["digest"] = page["digest"]
        bookmark = try StreamRecord(.object(members))
    }
}
