// Notifies followers of a log that there is more to read.

/// Is notified of appends.
package protocol LogSubscriber: AnyObject, Sendable {
    /// There are new entries of `session`. Called by the appending thread, so it must not block;
    /// the follower reads `tail` on a thread of its own, from the revision that it has.
    ///
    /// Calls of several writers may come in another order than their entries, and one call may
    /// still come while the subscription is being released.
    func entriesAppended(_ session: LogSession)
}

/// Lasts until it is released.
package final class LogSubscription: Sendable {
    private let end: @Sendable () -> Void

    /// - Parameter end: called once, when the subscription is released.
    package init(end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }
}
