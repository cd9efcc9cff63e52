// The lock of a session: for short sections, never held across a call that can block. For long work
// a thread does not hold the lock but owns what the lock guards, which other threads notice at
// once.
//
//     free ──lock()──▶ held for a short time ──unlock()──▶ free
//     free ──own()───▶ owned for a long time ──disown()──▶ free
//
// While a thread owns the lock, `lock()` waits, and `tryLock()` returns false.

import Background
import Glibc

/// A mutex whose section can return anything and throw typed errors, which a `Mutex` around
/// non-sendable state does not allow. 15 ns uncontended.
///
/// Event loops use `tryLock`, which waits for short sections alone. Threads that may wait use `lock`.
@usableFromInline
final class SessionLock: Sendable {
    // A pthread mutex and a condition are made to be shared.
    @usableFromInline nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>
    nonisolated(unsafe) private let freed: UnsafeMutablePointer<pthread_cond_t>
    /// The thread that owns what the lock guards; 0 for none. Changes while the mutex is held, and the owner alone may
    /// read it without.
    @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var owner: UInt = 0

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        Self.initialize(mutex)
        freed = .allocate(capacity: 1)
        freed.initialize(to: pthread_cond_t())
        pthread_cond_init(freed, nil)
    }

    /// Sections are shorter than putting a thread to sleep and waking it, so that a thread which finds the
    /// mutex taken first looks again for a while. In debug builds a section inside a section of the same thread
    /// traps; in others it would wait for itself.
    private static func initialize(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, kind)
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    #if DEBUG
        private static let kind = Int32(PTHREAD_MUTEX_ERRORCHECK_NP)
    #else
        private static let kind = Int32(PTHREAD_MUTEX_ADAPTIVE_NP)
    #endif

    deinit {
        pthread_cond_destroy(freed)
        freed.deinitialize(count: 1)
        freed.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    @inlinable @inline(__always)
    func lockMutex() {
        let code = pthread_mutex_lock(mutex)
        assert(code == 0, "a section inside a section of the same lock: \(code)")
    }

    /// Waits until the lock is free. The owner passes.
    @inlinable @inline(__always)
    func lock() {
        lockMutex()
        if owner != 0 { waitForOwner() }
    }

    @inlinable @inline(__always)
    func unlock() {
        // While there is an owner only the owner calls this, and an owner does not hold the mutex.
        if owner == 0 { pthread_mutex_unlock(mutex) }
    }

    /// Takes the lock unless another thread owns what it guards. Waits for short sections alone.
    @inlinable @inline(__always)
    func tryLock() -> Bool {
        lockMutex()
        return owner == 0 || passOwner()
    }

    /// Makes this thread the owner until `disown`. Waits for another owner. `prepare` runs while the
    /// mutex is held, so that a thread that finds an owner finds what the owner has prepared.
    func own(_ prepare: () -> Void = {}) {
        lock()
        precondition(owner == 0, "a thread owns a session once")
        prepare()
        owner = Self.thread
        pthread_mutex_unlock(mutex)
    }

    /// Ends the ownership. `body` runs while the mutex is held.
    func disown<R>(_ body: () -> R = {}) -> R {
        pthread_mutex_lock(mutex)
        precondition(owner == Self.thread, "only the owner lets go of a session")
        let result = body()
        owner = 0
        pthread_cond_broadcast(freed)
        pthread_mutex_unlock(mutex)
        Machines.simulated?.changed()
        return result
    }

    /// Runs a short section also while another thread is the owner: then `isOwned` is true, and the
    /// section must not touch what the owner works on.
    func peek<R, E: Error>(_ body: (_ isOwned: Bool) throws(E) -> R) throws(E) -> R {
        lockMutex()
        defer { pthread_mutex_unlock(mutex) }
        return try body(owner != 0 && owner != Self.thread)
    }

    /// With the mutex held and an owner there.
    @usableFromInline @inline(never)
    func waitForOwner() {
        if owner == Self.thread {
            pthread_mutex_unlock(mutex)
            return
        }
        guard let machine = Machines.simulated else {
            while owner != 0 { pthread_cond_wait(freed, mutex) }
            return
        }
        while owner != 0 {
            pthread_mutex_unlock(mutex)
            _ = machine.wait(until: .max) { owner == 0 }
            pthread_mutex_lock(mutex)
        }
    }

    /// With the mutex held and an owner there: lets go of it, and says whether this is the owner.
    @usableFromInline @inline(never)
    func passOwner() -> Bool {
        let isOwner = owner == Self.thread
        pthread_mutex_unlock(mutex)
        return isOwner
    }

    private static var thread: UInt {
        if let machine = Machines.simulated { return UInt(machine.thread) }
        return UInt(pthread_self())
    }
}
