// What other threads find while a thread owns a session: the state before the write, and lists of
// those that wait.

import JSONCodec

/// One ownership of a session. Guarded by the mutex of the session's lock, also while the session is
/// owned.
struct Occupation {
    /// The state before the write; nil when readers have to wait for its end.
    var snapshot: SessionSnapshot?
    /// The session before the write, as its own answer shows it.
    var summary: [UInt8] = []
    /// The revision before the write.
    var head: Int64 = 0
    /// The memory of the session before the write.
    var bytes = SessionBytes()
    /// Whether the snapshot is there to be read.
    var isReady = false
    var isMaterializing = false
    /// Requests that go on when the snapshot is ready.
    var waitingForSnapshot: [PendingResponse] = []
    /// Requests that go on when the session is free.
    var waiting: [PendingResponse] = []
    /// Streams that ask again when the session is free.
    var wakers: [any Waker] = []
    /// Work for the owner, in this order, before the session is free.
    var later: [@Sendable (Session, inout WakeList) -> Void] = []
}

/// How a session can be read that may be owned.
package enum SessionEntry {
    /// It is free by now, or was all the time: try again.
    case free
    /// A session at the revision before, to be read under its own lock.
    case before(Session)
    /// The request is to be handled again when this is decided.
    case wait(PendingResponse)
}

extension Session {
    // MARK: - The owner

    /// Makes this thread the owner of the session: until `disown`, others find the state before or
    /// wait, and none of them blocks. Waits for other owners.
    ///
    /// - Parameter showsBefore: whether readers get the state before; it has to be acknowledged.
    func own(showsBefore: Bool) {
        lock.own {
            var occupation = Occupation()
            if showsBefore, acknowledged == head, head > 0, !isDeleted {
                occupation.snapshot = try? snapshot()
            }
            var summary = JSONWriter(capacity: 256)
            write(into: &summary)
            occupation.summary = summary.array()
            occupation.bytes = countBytes()
            occupation.head = head
            self.occupation = occupation
        }
    }

    /// Does what was left for later, and sets the session free. Then the log's thread is called again, as it
    /// passes over a session that is owned.
    func disown(wakes: inout WakeList) {
        // Most of it without the mutex, which event loops wait for.
        while true {
            let later = lock.peek { _ in
                defer { occupation?.later = [] }
                return occupation?.later ?? []
            }
            if later.isEmpty { break }
            for work in later { work(self, &wakes) }
        }
        let (over, isBehind) = lock.disown { () -> (Occupation?, Bool) in
            defer { occupation = nil }
            for work in occupation?.later ?? [] { work(self, &wakes) }
            return (occupation, hasUnsent)
        }
        if isBehind { writer?.submit(self) }
        guard let over else { return }
        for response in over.waitingForSnapshot + over.waiting {
            if let waker = response.decide(.readAgain) { wakes.add(waker) }
        }
        for waker in over.wakers { wakes.add(waker) }
    }

    // MARK: - The others

    /// Takes the lock, for as short as `enter` does, unless a thread owns the session; `leave` has to
    /// follow then. Event loops use this one.
    @inlinable @inline(__always)
    package func tryEnter() -> Bool { lock.tryLock() }

    /// Runs `body` while the lock is held; nil when a thread owns the session, which wakes `waker`
    /// when it lets go.
    package func lockedIfFree<R, E: Error>(
        waking waker: (any Waker)? = nil, _ body: () throws(E) -> R
    ) throws(E) -> R? {
        while !tryEnter() {
            let isNoted = lock.peek { isOwned in
                if !isOwned { return false }
                if let waker { occupation?.wakers.append(waker) }
                return true
            }
            if isNoted { return nil }
        }
        defer { lock.unlock() }
        return try body()
    }

    /// Runs `work` while the lock is held, now or when the thread that owns the session lets go.
    package func nowOrLater(_ work: @escaping @Sendable (Session, inout WakeList) -> Void) {
        var wakes = WakeList()
        lock.peek { isOwned in
            if isOwned {
                occupation?.later.append(work)
            } else {
                work(self, &wakes)
            }
        }
        wakes.wake()
    }

    /// How a request goes on that found the session owned.
    ///
    /// - Parameter before: whether the state before the write will do.
    package func entryWhileOwned(before: Bool) -> SessionEntry {
        lock.peek { isOwned in
            guard isOwned, occupation != nil else { return .free }
            let response = PendingResponse(revision: .max)
            guard before, let snapshot = occupation?.snapshot else {
                occupation?.waiting.append(response)
                return .wait(response)
            }
            if occupation?.isReady == true, let session = try? snapshot.session() {
                return .before(session)
            }
            occupation?.waitingForSnapshot.append(response)
            if occupation?.isMaterializing == false {
                occupation?.isMaterializing = true
                ReadThreads.shared.run { [weak self] in
                    let session = try? snapshot.session()
                    // Readers look up names, and the first look-up makes the index of all of them.
                    session?.locked { _ = session?.hierarchy.node("") }
                    let isReady = session != nil
                    self?.finishMaterializing(snapshot, isReady: isReady)
                    return false
                }
            }
            return .wait(response)
        }
    }

    private func finishMaterializing(_ snapshot: SessionSnapshot, isReady: Bool) {
        let waiting = lock.peek { _ -> [PendingResponse] in
            // The write may be over, and another one under way.
            guard let occupation, occupation.snapshot === snapshot else { return [] }
            let waiting = occupation.waitingForSnapshot
            self.occupation?.waitingForSnapshot = []
            self.occupation?.isReady = isReady
            if !isReady { self.occupation?.snapshot = nil }
            return waiting
        }
        var wakes = WakeList()
        for response in waiting {
            if let waker = response.decide(.readAgain) { wakes.add(waker) }
        }
        wakes.wake()
    }

    /// The memory of the session; while a thread owns the session, the memory before the write.
    func countBytesOrRecall() -> SessionBytes {
        while true {
            if tryEnter() {
                defer { leave() }
                return isDeleted ? SessionBytes() : countBytes()
            }
            let bytes = lock.peek { isOwned in isOwned ? occupation?.bytes : nil }
            if let bytes { return bytes }
        }
    }

    /// The session's revision; while a thread owns the session, the revision before the write.
    package func headOrRecall() -> Int64 {
        while true {
            if tryEnter() {
                defer { leave() }
                return head
            }
            let head = lock.peek { isOwned in isOwned ? occupation?.head : nil }
            if let head { return head }
        }
    }

    /// Writes the session as its own answer shows it; while a thread owns it, as before the write.
    package func writeOrRecall(into json: inout JSONWriter) {
        while true {
            if tryEnter() {
                defer { leave() }
                return write(into: &json)
            }
            let summary = lock.peek { isOwned in isOwned ? occupation?.summary : nil }
            if let summary { return json.raw(summary) }
        }
    }
}
