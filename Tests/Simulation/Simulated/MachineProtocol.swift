// To be deleted: the protocol as the product has it in Sources/Background/Machine.swift, until both are in one tree.

package protocol Machine: AnyObject {
    /// Starts a thread.
    func start(_ body: @escaping () -> Void)
    /// Waits until `isOver` is true or the uptime reaches `deadline` (`.max`: never). Returns whether `isOver` was true.
    /// `isOver` has no effects, and is asked again after each `changed`.
    func wait(until deadline: UInt64, _ isOver: () -> Bool) -> Bool
    /// Says that something has changed for which a thread may wait.
    func changed()
    /// The uptime in nanoseconds, which never goes back.
    var nanoseconds: UInt64 { get }
    /// The next of the seed's random numbers.
    func random() -> UInt64
    /// The number of the thread that runs; 0 outside all threads.
    var thread: Int { get }
}
