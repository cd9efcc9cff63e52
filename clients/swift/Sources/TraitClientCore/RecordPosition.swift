// The position of a stream of records without a cache.

/// Follows the stream of a session record by record.
///
/// Such a stream has no state, so the token of its `begin` resumes as well: without that token, the records
/// between `begin` and a lost connection would be lost.
package struct RecordPosition: StreamFollower {
    package private(set) var token: String?
    package private(set) var isComplete = false
    private var order = RecordOrder()

    package init() {}

    package var isCurrent: Bool { isComplete }
    package var revision: Int64? { order.revision }

    package mutating func connect() -> String? {
        order.beginConnection(resuming: token != nil)
        return token
    }

    package mutating func forgetToken() { token = nil }

    package mutating func receive(_ record: StreamRecord) -> StreamStep {
        switch order.receive(record) {
        case .duplicate: return StreamStep(isRepeated: true)
        case .wentBack:
            token = nil
            return StreamStep(connection: .fault("the revision went back at \(record.token ?? "")"))
        case .next: break
        }
        isComplete = true
        switch record.contents {
        case .end(let end):
            if !end.canResume { token = nil }
            return StreamStep(connection: .end(end))
        case .begin, .change, .renamed, .sync, .bookmark, .other: token = record.token ?? token
        case .state, .reset, .gap: break
        }
        return StreamStep()
    }
}
