// One reader's place among the listeners of a feed. An event loop adds and removes the reader, and does
// not wait for a thread that owns the session. The owning thread then adds and removes the listener, in
// that order.

/// Confinement: `place` is touched while the session's lock is held, `hasListened` by the reader's side.
package final class ListenerPlace: @unchecked Sendable {
    private var place: Int?
    private var hasListened = false

    package init() {}

    /// Has `waker` woken by commits that concern the feed, and now when there are some already.
    ///
    /// - Parameter atOnce: whether to wake it now in any case.
    package func listen(
        to feed: Feed, of session: Session, from position: StreamPosition, _ waker: any Waker,
        atOnce: Bool
    ) {
        hasListened = true
        session.nowOrLater { state, wakes in
            self.place = state.listen(to: feed.current, waker)
            if atOnce { return wakes.add(waker) }
            if case .caughtUp = state.read(feed, from: position, limit: 1) { return }
            wakes.add(waker)
        }
    }

    /// Leaves the listeners, if `listen` was called. May be called again, without effect.
    package func leave(_ feed: Feed, of session: Session) {
        guard hasListened else { return }
        hasListened = false
        session.nowOrLater { state, _ in
            guard let place = self.place else { return }
            self.place = nil
            state.leave(feed.current, place)
        }
    }
}
