// A reader of a stream that keeps all that it is sent, without a socket.

import JSONCodec
import TraitEngine
import TraitSessions

/// What a stream is of, by name.
package enum Subject: Sendable, Hashable {
    case session
    case registrations([String])
    /// A node and all below it.
    case subtree(String)
}

/// Confinement: one thread at a time has it.
package final class Listener: @unchecked Sendable {
    private final class Sink: RecordSink {
        var bytes: [UInt8] = []
        var count: Int { bytes.count }
        func append(_ bytes: UnsafeRawBufferPointer) { self.bytes += bytes }
    }

    private final class Frame: FramedRecords {
        let bytes: [UInt8]
        init(_ bytes: UnsafeRawBufferPointer) { self.bytes = Array(bytes) }
        var count: Int { bytes.count }
        func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
            bytes.withUnsafeBytes(body)
        }
    }

    package let subject: Subject
    package let format: RecordFormat
    package let withOperations: Bool
    package private(set) var bytes: [UInt8] = []
    package private(set) var isOver = false
    /// The head when it was opened.
    package let began: Int64
    private let cursor: StreamCursor

    /// - Parameter from: a token, a revision, `now` or `start`; nil for the present state.
    package init(
        _ session: Session, _ subject: Subject, _ format: RecordFormat = .ndjson,
        withOperations: Bool = true, from: String?
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
                    try session.locked { () throws(SessionError) in
                        try session.node(named: name, "node")
                    })
            }
        let options = StreamOptions(
            format: format, withOperations: withOperations, from: from)
        began = session.locked { session.head }
        cursor = try session.locked { () throws(SessionError) in
            try session.openStream(of, options) { Frame($0) }
        }
    }

    /// Takes what there is.
    package func drain(budget: Int = 4_096) {
        while !isOver {
            if let records = cursor.sharedRecords() {
                records.withBytes { bytes += $0 }
                continue
            }
            let sink = Sink()
            let step = cursor.produce(into: sink, budget: budget)
            bytes += sink.bytes
            switch step {
            case .idle: return
            case .more: continue
            case .finished: isOver = true
            }
        }
    }

    /// Keeps the feed, as a connected client does.
    package func listen() { cursor.listen(Deaf()) }

    private final class Deaf: Waker {
        func wake() {}
        // The list also has the wakers of those who wait for answers.
        static func wake(_ all: ContiguousArray<any Waker>) { for waker in all { waker.wake() } }
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
