// The current collection, for code without an environment at hand. UIKit sets it before it draws,
// lays out or calls a handler.

internal import Dispatch
internal import Foundation

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

extension TraitCollection {
    /// The current collection of this thread. Set to an environment's own while one of its layout,
    /// drawing, update or trait-change methods runs. Where it was not set, the main thread has the
    /// traits of the main screen, and other threads have the empty collection. A new view or view
    /// controller shows this collection until it is updated.
    public static var current: TraitCollection {
        get { currentIfSet ?? ofMainScreen }
        set { CurrentTraits.slot.collection = newValue }
    }

    /// The current collection; nil on a thread where none was set.
    static var currentIfSet: TraitCollection? { CurrentTraits.slot.collection }

    private static var ofMainScreen: TraitCollection {
        guard MainQueue.isCurrent else { return TraitCollection() }
        return MainActor.assumeIsolated { TraitHierarchy.current.screenTraits }
    }

    /// Makes this the current collection while the closure runs; may be nested.
    @discardableResult
    public func performAsCurrent<Result, Failure: Error>(
        _ actions: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let slot = CurrentTraits.slot
        let outer = slot.collection
        slot.collection = self
        defer { slot.collection = outer }
        return try actions()
    }
}

/// The current collection of one thread, and of no other.
private final class CurrentSlot {
    @exclusivity(unchecked) var collection: TraitCollection?
}

/// The slot of this thread. A task-local value would be more to Swift's taste but cannot be
/// assigned, as UIKit's `current` can.
private enum CurrentTraits {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let failure = pthread_key_create(&key) { held in
            // The parameter is optional on some systems and not on others.
            let held: UnsafeMutableRawPointer? = held
            if let held { Unmanaged<CurrentSlot>.fromOpaque(held).release() }
        }
        require(failure == 0, "no slot is left for a value of each thread")
        return key
    }()

    /// Made when the thread first asks; released when the thread ends.
    static var slot: CurrentSlot {
        if let known = pthread_getspecific(key) {
            return Unmanaged<CurrentSlot>.fromOpaque(known).takeUnretainedValue()
        }
        let made = CurrentSlot()
        pthread_setspecific(key, Unmanaged.passRetained(made).toOpaque())
        return made
    }
}

/// The queue of the main actor. Where Dispatch has ended the main thread, as it does for programs with
/// an asynchronous `main` on Linux, any thread may run the queue's work.
private enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true
    }
}
