// A reader of a stream that keeps all that it is sent, without a socket.

import JSONCodec
import SessionViews
import Synchronization
import TraitEngine
import TraitJSON
import TraitSessions

/// What a stream is of, by name.
package enum Subject: Sendable, Hashable {
    case session
    case registrations([String])
    /// A node and all below it.
    case subtree(String)
}

/// A waker that remembers that it was called.
package final class WakeFlag: Waker {
    private let isWoken = Atomic<Bool>(false)

    package init() {}

    /// Whether it was called since the last time that this was asked.
    func take() -> Bool { isWoken.exchange(false, ordering: .acquiringAndReleasing) }

    package func wake() { isWoken.store(true, ordering: .releasing) }
}

/// Confinement: one thread at a time has it.
package final class Listener: @unchecked Sendable {
    package let subject: Subject
    package let format: RecordFormat
    package let withOperations: Bool
    package private(set) var bytes: [UInt8] = []
    package private(set) var isOver = false
    /// The head when it was opened.
    package let began: Int64
    private let cursor: StreamCursor
    private let uptime: @Sendable () -> Int64
    /// Nil before `listen`: then every `drain` asks the stream, as though it had been woken.
    private var waker: WakeFlag?
    /// Whether the stream said that there is more.
    private var wantsMore = true
    /// When the stream is to be asked without a wake.
    private var deadline = Int64.max

    /// - Parameter from: a token, a revision, `now` or `start`; nil for the present state.
    package init(
        _ session: Session, _ subject: Subject, _ format: RecordFormat = .ndjson,
        withOperations: Bool = true, from: String?, resyncs: Bool = false
    ) throws(SessionError) {
        self.subject = subject
        self.format = format
        self.withOperations = withOperations
        let of: StreamSubject =
            switch subject {
            case .session: .session
            case .registrations(let names): .registrations(names)
            case .subtree(let name):
                .subtree(
                    try session.withState { state throws(SessionError) in
                        try state.node(named: name, "node")
                    })
            }
        var options = StreamOptions(
            format: format, withOperations: withOperations, from: from)
        options.resyncs = resyncs
        uptime = session.environment.uptime
        began = session.withState { $0.head }
        cursor = try session.openStream(options) { _ in of }
    }

    /// Takes what there is. A listener takes no more than a connection of the server: after the shared
    /// records of a commit nothing until the next wake, so that a wake that is missing is seen.
    package func drain(budget: Int = 4_096) {
        while !isOver {
            let isWoken = waker?.take() ?? true
            guard isWoken || wantsMore || uptime() >= deadline else { return }
            if isWoken, !wantsMore || waker == nil, let records = cursor.sharedRecords() {
                records.withBytes { bytes += $0 }
                continue
            }
            let sink = CollectedRecords()
            let step = cursor.produce(into: sink, budget: budget)
            bytes += sink.bytes
            wantsMore = false
            switch step {
            case .idle(let milliseconds):
                if waker == nil { return }
                deadline = uptime() + milliseconds
            case .more: wantsMore = true
            case .finished: isOver = true
            }
        }
    }

    /// Keeps the feed, and waits for wakes, as a connection does.
    package func listen() {
        let waker = WakeFlag()
        self.waker = waker
        cursor.listen(waker)
    }

    package func close() { cursor.closed() }

    // MARK: - Records

    /// The records so far, each with its end.
    package var records: [ArraySlice<UInt8>] {
        var records: [ArraySlice<UInt8>] = []
        var start = bytes.startIndex
        for position in bytes.indices where bytes[position] == UInt8(ascii: "\n") {
            let isEnd =
                format == .ndjson
                || position > start && bytes[position - 1] == UInt8(ascii: "\n")
            guard isEnd else { continue }
            records.append(bytes[start...position])
            start = position + 1
        }
        return records
    }

    /// The position that a record stands for.
    package static func token(of record: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: record, as: UTF8.self)
        let key = "\"token\":\""
        var rest = text[...]
        while let first = rest.firstIndex(of: "\"") {
            rest = rest[first...]
            if rest.hasPrefix(key) {
                return String(rest.dropFirst(key.count).prefix { $0 != "\"" })
            }
            rest = rest.dropFirst()
        }
        return nil
    }
}
