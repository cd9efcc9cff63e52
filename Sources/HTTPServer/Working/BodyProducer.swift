// The body of a long answer, made on the workers: at most a few chunks ahead of what the connection
// has sent.

import DequeModule
import HTTPWire
import Ledger
import Synchronization

/// Whether a body continues after a part.
package enum BodyPart {
    case more
    /// The body is complete.
    case last
    /// The body ends here, incomplete.
    case broken

    package init(isLast: Bool) { self = isLast ? .last : .more }
}

/// Makes the body of one answer, part after part, on the workers' threads.
package final class BodyProducer: Sendable {
    /// Used, with what the closure holds, by one slice of work at a time.
    nonisolated(unsafe) private let next: (OutputBuffer, Int) -> BodyPart

    /// - Parameter next: appends the next part to the buffer, about as many bytes as its second argument says,
    ///   within about a millisecond. Called on any thread, never twice at once.
    package init(_ next: @escaping (OutputBuffer, Int) -> BodyPart) { self.next = next }

    package func produce(into out: OutputBuffer, budget: Int) -> BodyPart { next(out, budget) }
}

/// The buffer between a producer and its connection: at most `aheadBytesMax` bytes in chunks, and one
/// more chunk that is being filled.
///
/// `@unchecked Sendable`: `lock` guards all that is `var`, but `filling`, which belongs to the slice
/// that runs, and `target`, which is set once before the first slice.
final class ProducedBody: StreamSource, Work, @unchecked Sendable {
    static let chunkBytes = 65_536
    static let aheadBytesMax = 262_144

    private let workers: Workers
    private let caller: MemoryAccount
    /// Counts the bytes that are ready and not yet sent.
    private let unsent: ByteBudget
    private let lock = Mutex(())
    private var target: WakeTarget?
    /// Nil while a slice has it, and when it is no longer needed.
    private var producer: BodyProducer?
    private var ready = Deque<OutputBuffer>()
    private var readyBytes = 0
    private var isWorking = false
    private var isComplete = false
    private var isBroken = false
    private var isClosed = false
    private var filling = OutputBuffer()
    private let spares: SpareBuffers

    init(
        _ producer: BodyProducer, _ workers: Workers, _ caller: MemoryAccount,
        _ unsent: ByteBudget, _ spares: SpareBuffers
    ) {
        self.caller = caller
        self.spares = spares
        self.producer = producer
        self.workers = workers
        self.unsent = unsent
    }

    deinit {
        _ = unsent.change(by: -readyBytes)
        spares.give(filling)
    }

    // MARK: - On the shard

    func begin(waking target: WakeTarget) { self.target = target }

    var isFinite: Bool { true }

    func produce(into out: OutputBuffer, budget: Int) -> StreamStep {
        var begins = false
        // A slice that has the lock wakes the stream later. Its thread may have lost the processor, so
        // that a shard which waited for it would wait for milliseconds.
        let step = lock.withLockIfAvailable { _ in
            var bytes = 0
            while let chunk = ready.first, bytes == 0 || bytes + chunk.count <= budget {
                bytes += chunk.count
                ready.removeFirst()
                take(chunk, into: out)
            }
            readyBytes -= bytes
            _ = unsent.change(by: -bytes)
            begins = !isComplete && !isWorking && readyBytes <= Self.aheadBytesMax / 2
            if begins { isWorking = true }
            if !ready.isEmpty { return StreamStep.more }
            guard isComplete else { return .idle(until: nil) }
            return isBroken ? .broken : .finished
        }
        if begins, let target { workers.run(self, for: target, of: caller) }
        return step ?? .idle(until: nil)
    }

    /// Exchanges the storage of an empty `out` with that of the chunk, which a later chunk then has: no byte
    /// is copied, and no storage allocated for each chunk. Under the lock.
    private func take(_ chunk: OutputBuffer, into out: OutputBuffer) {
        if out.isEmpty { out.exchangeStorage(with: chunk) } else { out.append(chunk.bytes) }
        spares.give(chunk)
    }

    /// Not called: a finite stream is not ended, but broken off.
    func end(_ reason: StreamEnd, into out: OutputBuffer) {}

    func closed() {
        var released: BodyProducer?
        lock.withLock { _ in
            isClosed = true
            // A running slice releases the producer itself.
            released = producer
            producer = nil
            for chunk in ready { spares.give(chunk) }
            ready.removeAll()
        }
        _ = released
    }

    // MARK: - On the workers

    func slice() -> Bool {
        var current: BodyProducer?
        lock.withLock { _ in
            current = producer
            producer = nil
        }
        guard let current else { return true }
        let part = current.produce(into: filling, budget: Self.chunkBytes)
        let isLast = part != .more
        var isOver = false
        var hasChunk = false
        lock.withLock { _ in
            if isClosed {
                isOver = true
                return
            }
            if !isLast { producer = current }
            isComplete = isLast
            isBroken = part == .broken
            if isLast || filling.count >= Self.chunkBytes {
                hasChunk = true
                readyBytes += filling.count
                isOver = !unsent.change(by: filling.count)
                if !filling.isEmpty { ready.append(filling) }
                filling = isLast ? OutputBuffer() : spares.take()
            }
            // Where all connections together hold too much, this one is not ahead of its client.
            isOver = isOver || isLast || readyBytes >= Self.aheadBytesMax
            if isOver { isWorking = false }
        }
        // The end of a run wakes the stream by itself.
        if hasChunk, !isOver, let target { WakeHandle(target).wake() }
        return isOver
    }

    func finish(_ connection: Connection) { connection.streamWoken() }
}
