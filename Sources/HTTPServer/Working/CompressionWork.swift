// Compressing a megabyte takes milliseconds, in which a shard answers a thousand requests: long
// bodies are compressed beside the shards. Thousands of them may wait for a worker, so the budget for
// unsent bytes counts them.

import HTTPWire

/// An answer on its way through the compressor.
///
/// `@unchecked Sendable`: it belongs to the shard, then to one worker after the other, then to the
/// shard again; none uses it after passing it on.
final class CompressionWork: Work, @unchecked Sendable {
    private static let sliceBytes = 131_072

    private let answer: Answer
    private let budget: ByteBudget
    /// The bytes that the budget counts for the plain body and for the compressed one.
    private var plainCounted: Int
    private var compressedCounted = 0
    private var position = 0
    private var compressed = OutputBuffer()
    private var encoder: GzipEncoder?
    private var hasFailed = false

    /// - Parameter plainCounted: the bytes that the budget counts for the plain body.
    private init(_ answer: Answer, _ budget: ByteBudget, plainCounted: Int) {
        self.answer = answer
        self.budget = budget
        self.plainCounted = plainCounted
    }

    /// `nil` when the budget has no room for the plain body.
    static func make(_ answer: Answer, _ budget: ByteBudget) -> CompressionWork? {
        let size = answer.body.capacity
        guard budget.change(by: size) else {
            _ = budget.change(by: -size)
            return nil
        }
        return CompressionWork(answer, budget, plainCounted: size)
    }

    deinit { _ = budget.change(by: -(plainCounted &+ compressedCounted)) }

    func slice() -> Bool {
        let bytes = answer.body.bytes
        let encoder = encoder ?? GzipEncoder(level: 1)
        self.encoder = encoder
        let end = min(bytes.count, position &+ Self.sliceBytes)
        let part = UnsafeRawBufferPointer(rebasing: bytes[position..<end])
        position = end
        let isLast = end == bytes.count
        let succeeded =
            encoder.write(part, flush: .none, into: compressed)
            && (!isLast || encoder.finish(into: compressed))
        // Memory is short, so the body is sent uncompressed; there is room for it.
        if !account() || !succeeded { giveUp() }
        guard isLast || hasFailed else { return false }
        self.encoder = nil
        return true
    }

    /// Counts the compressed bytes in the budget. Returns whether they are within its bounds.
    private func account() -> Bool {
        let difference = compressed.capacity &- compressedCounted
        compressedCounted = compressed.capacity
        return budget.change(by: difference)
    }

    private func giveUp() {
        hasFailed = true
        compressed = OutputBuffer()
        _ = budget.change(by: -compressedCounted)
        compressedCounted = 0
    }

    func finish(_ connection: Connection) {
        connection.endWait()
        if hasFailed {
            EntityTagCoding.removeGzip(from: answer.fields)
            connection.writePromised(
                answer, answer.body, .identityNegotiated, counted: plainCounted)
            plainCounted = 0
        } else {
            connection.writePromised(answer, compressed, .gzip, counted: compressedCounted)
            compressedCounted = 0
        }
        connection.settle()
    }
}

/// The refusal of an answer. It waits for its turn like work, since the handler that made the answer
/// has not returned yet.
final class AnswerRefusal: Work {
    private let error: WireError

    init(_ error: WireError) { self.error = error }

    func slice() -> Bool { true }

    func finish(_ connection: Connection) {
        connection.endWait()
        connection.refuseAnswer(error)
        connection.settle()
    }
}
