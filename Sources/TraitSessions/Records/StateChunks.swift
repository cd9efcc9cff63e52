// The state of very many registrations. It is written from a snapshot on another thread, a few
// chunks ahead of the reader.

import DequeModule
import JSONCodec
import Ledger

/// `@unchecked Sendable`: `lock` guards every `var` except `text` and `json`, which only the
/// writing thread uses. At most one thread writes at a time.
final class StateChunks: @unchecked Sendable {
    private static let chunkBytes = 65_536
    private static let aheadMax = 4
    /// Registrations written in one section of the snapshot's lock.
    private static let registrationsAtATime = 256

    private let lock = SessionLock()
    private let caller: MemoryAccount?
    private var snapshot: SessionSnapshot?
    private var ready = Deque<[UInt8]>()
    private var waker: (any Waker)?
    private var isWorking = false
    private var isComplete = false
    private var isFailed = false
    private var finalDigest: UInt64?
    private var text: StateText
    private var json = JSONWriter()

    /// - Parameter caller: in whose turns the state is written.
    init(_ text: StateText, _ snapshot: SessionSnapshot, for caller: MemoryAccount?) {
        self.caller = caller
        self.text = text
        self.snapshot = snapshot
    }

    // MARK: - The reader

    /// Begins to write. `waker` is woken for every chunk and at the end.
    func begin(waking waker: any Waker) {
        locked { self.waker = waker }
        goOn()
    }

    /// The next chunk, when there is one.
    func next() -> [UInt8]? {
        let chunk = locked { ready.popFirst() }
        goOn()
        return chunk
    }

    /// The digest of a cache with the state; nil until the state is complete.
    var digest: UInt64? { locked { finalDigest } }

    /// Whether the state could not be written.
    var hasFailed: Bool { locked { isFailed } }

    /// Whether all chunks were taken.
    var isOver: Bool { locked { isComplete && ready.isEmpty } }

    /// Stops writing, as the reader is gone.
    func end() {
        let released = locked { () -> SessionSnapshot? in
            defer { self.snapshot = nil }
            waker = nil
            isComplete = true
            ready = []
            return self.snapshot
        }
        withExtendedLifetime(released) {}
    }

    // MARK: - The writer

    private func goOn() {
        let snapshot = locked { () -> SessionSnapshot? in
            guard !isWorking, !isComplete, ready.count < Self.aheadMax else { return nil }
            isWorking = self.snapshot != nil
            return self.snapshot
        }
        guard let snapshot else { return }
        ReadThreads.shared.run(for: caller) { [self] _ in
            write(from: snapshot)
            return false
        }
    }

    private func write(from snapshot: SessionSnapshot) {
        // The snapshot was opened at the session's head, so this only copies.
        guard let session = try? snapshot.session() else { return fail() }
        var isLast = false
        while !isLast, json.count < Self.chunkBytes {
            isLast = session.withState {
                text.write(
                    from: $0, registrationsMax: Self.registrationsAtATime,
                    budget: Self.chunkBytes, into: &json)
            }
        }
        finish(isLast: isLast)
    }

    /// Ends the state before it is complete. The stream has to end, too.
    private func fail() {
        let waker = locked { () -> (any Waker)? in
            isWorking = false
            isFailed = true
            isComplete = true
            snapshot = nil
            return self.waker
        }
        waker?.wake()
    }

    private func finish(isLast: Bool) {
        let chunk = json.array()
        // The record that the chunk cuts goes on in the next one.
        json.drain()
        let digest = text.digest
        let waker = locked { () -> (any Waker)? in
            isWorking = false
            if isComplete { return nil }
            if isLast { finalDigest = digest }
            ready.append(chunk)
            isComplete = isLast
            if isLast { snapshot = nil }
            return self.waker
        }
        waker?.wake()
        goOn()
    }

    private func locked<R>(_ body: () -> R) -> R {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }
}
