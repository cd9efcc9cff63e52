// The event loop of a shard. Dispatch watches one descriptor, the shard's epoll set, and calls `run` when it
// has events. A call by Dispatch costs more than a small request (disarm, hand over, arm again), so that a run
// handles many batches of events: while there is traffic it waits for more in `epoll_wait`. A run is bounded in
// time, because the other work items of the queue have to wait for its end.
//
// A run consists of turns. A turn is one `epoll_wait` and the work that follows. It is bounded in time as well,
// however many requests a connection has pipelined and however many events, messages and deadlines there are.
// Work that is left over is done in the next turn, in the same order.

import DequeModule
import Dispatch
import Glibc

extension Shard {
    /// A run ends after this time even if there is more to do. At each end the requests of that moment
    /// wait until Dispatch calls again, so that it must not happen often.
    private static let runNanosecondsMax: UInt64 = 100_000_000
    /// How long a run waits for more events. Longer than a tick of the kernel's clock: for a shorter wait
    /// the kernel programs the processor's timer, which costs more than a small request.
    private static let lingerMilliseconds: Int32 = 10
    /// Messages of one turn; a wake of thousands of streams must not keep requests waiting.
    private static let messagesPerTurnMax = 256

    // Tokens that no connection has: its slot, their lower half, is a positive Int32.
    static let mailboxToken = UInt64.max
    static let listenerToken = UInt64.max - 1
    private static let connectionTokenMax: UInt64 = 0xFFFF_FFFF_7FFF_FFFF

    /// Begins to serve. `stopped` is called once the shard holds no descriptor any more.
    func start(acceptor: Acceptor?, stopped: @escaping @Sendable () -> Void) {
        self.acceptor = acceptor
        _ = poller.add(mailbox.descriptor, token: Self.mailboxToken, .readable)
        watchListeners()
        let source = DispatchSource.makeReadSource(
            fileDescriptor: poller.descriptor, queue: queue)
        source.setEventHandler { [self] in run() }
        // No earlier: if a descriptor that is still watched were closed, a source on the next one
        // of that number would stay silent for ever.
        source.setCancelHandler { [self] in
            poller.close()
            self.source = nil
            stopped()
        }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [self] in
            armedFor = .max
            run()
        }
        // Dispatch opens the descriptor of its timers when it first has to wait for one, and when there
        // is none left, none of its timers goes off: neither deadlines nor the pause of accepting.
        timer.schedule(deadline: .now() + .seconds(60))
        self.source = source
        self.timer = timer
        timer.activate()
        source.activate()
        // The first turn opens the file that measures turns, while a descriptor for it is left.
        mailbox.signal()
    }

    /// Called by Dispatch when there are events, or the timer went off.
    private func run() {
        dispatchPrecondition(condition: .onQueue(queue))
        let start = MonotonicClock.now()
        turnClock.threadMayChange()
        var milliseconds: Int32 = 0
        while !isStopped {
            if found.eventsRead == found.eventCount {
                found.eventCount = poller.wait(milliseconds: hasWork ? 0 : milliseconds)
                found.eventsRead = 0
            }
            let isIdle = found.eventCount == 0 && !hasWork
            refreshClock()
            turnClock.begin(at: now)
            turn()
            endTurn()
            if isIdle, !hasWork { break }
            if now &- start >= Self.runNanosecondsMax { break }
            milliseconds = Self.lingerMilliseconds
        }
        guard !isStopped else { return }
        if hasWork { mailbox.signal() } else { spares.removeAll() }
        armTimer()
    }

    private var hasWork: Bool {
        found.hasEvents || !nextTurn.isEmpty || found.hasMessages
            || found.hasDue
    }

    /// Whether new events should come before the remaining work.
    var isTurnOver: Bool { turnClock.isOver }

    /// Measures the turn and notifies the handler. Both use one reading of the clock, taken once for all
    /// requests of the turn.
    private func endTurn() {
        let end = MonotonicClock.now()
        if let slow = turnClock.note(nanoseconds: end &- now, counters) {
            handler.turnWasSlow(shard: index, slow)
        }
        handler.turnEnded(shard: index, now: end)
    }

    private func refreshClock() {
        now = MonotonicClock.now()
        date.update(unixSeconds: Int64(time(nil)))
    }

    /// Handles events, then work left by earlier turns, then messages, then deadlines. Of each kind at
    /// least one is handled, so that none waits for ever.
    private func turn() {
        if found.eventsRead == 0, callerLines.isCrowded || found.eventCount == Poller.eventsMax,
            callerLines.hasSeveralCallers
        {
            found.eventsRead = found.eventCount
            serveCallersInTurn()
        } else {
            readEvents()
            if found.hasEvents { return }
        }
        if !nextTurn.isEmpty { goOn() }
        if found.hasMessages { readMessages() }
        if found.needsRoom { makeRoom() }
        wheel.advance(to: now, due: &found.due)
        if found.hasDue { checkDeadlines() }
    }

    /// Handles the events until the turn is over. What is left of them comes first in the next turn, as though
    /// this one went on.
    private func readEvents() {
        while found.hasEvents {
            let index = found.eventsRead
            found.eventsRead += 1
            handle(event: index)
            guard found.hasEvents, isTurnOver else { continue }
            if callerLines.hasSeveralCallers {
                // Unhandled events stay ready. The next turn reads all ready events and alternates callers.
                found.eventsRead = found.eventCount
                callerLines.isCrowded = true
            }
            return
        }
    }

    @inline(__always)
    func handle(event index: Int) {
        let (token, readiness) = poller.event(index)
        if token <= Self.connectionTokenMax {
            connection(token)?.handle(readiness)
        } else if token == Self.mailboxToken {
            collectMessages()
        } else {
            accept(token)
        }
    }

    /// `nil` when the connection was closed earlier in this turn, and for tokens of other descriptors.
    @inline(__always)
    func connection(_ token: UInt64) -> Connection? {
        guard token <= Self.connectionTokenMax else { return nil }
        let slot = Int(token & 0xFFFF_FFFF)
        guard let connection = connections[slot],
            connection.generation == UInt32(truncatingIfNeeded: token >> 32)
        else { return nil }
        return connection
    }

    private func goOn() {
        // A connection that this loop queues again comes after all that wait now.
        let count = nextTurn.count
        for index in 0..<count {
            if index > 0, isTurnOver { break }
            guard let connection = nextTurn.popFirst() else { break }
            connection.isQueued = false
            switch connection.phase {
            case .reading: connection.serveKept()
            case .streaming: connection.produce()
            default: break
            }
        }
        if nextTurn.isEmpty, count > 4_096 { nextTurn = Deque() }
    }

    private func checkDeadlines() {
        while found.hasDue {
            let slot = Int(found.due[found.dueRead])
            found.dueRead += 1
            guard let connection = connections[slot] else { continue }
            if connection.deadline > now {
                connection.setDeadline(connection.deadline)
                continue
            }
            connection.deadlineReached()
            if found.hasDue, isTurnOver { return }
        }
        found.due.removeAll(keepingCapacity: true)
        found.dueRead = 0
    }

    /// Sees to it that the shard is called for its next deadline, though nothing else happens.
    private func armTimer() {
        guard let next = wheel.nextDeadline(), next < armedFor else { return }
        armedFor = next
        let delay = next > now ? next &- now : 0
        timer?.schedule(
            deadline: .now() + .nanoseconds(Int(min(delay, 1 << 40))), leeway: .milliseconds(1))
    }

    // MARK: Messages

    private func collectMessages() {
        // The messages of an earlier turn come first. The descriptor stays readable until then.
        guard found.messages.isEmpty else { return }
        mailbox.collect(into: &found.messages)
    }

    private func readMessages() {
        let end = min(found.messages.count, found.messagesRead + Self.messagesPerTurnMax)
        while found.messagesRead < end, !isStopped {
            let message = found.messages[found.messagesRead]
            found.messagesRead += 1
            read(message)
            if found.messagesRead < end, isTurnOver { break }
        }
        if found.messagesRead == found.messages.count { forgetMessages() }
    }

    /// They may hold the last reference to something large.
    private func forgetMessages() {
        found.messages.removeAll(keepingCapacity: found.messages.capacity <= 65_536)
        found.messagesRead = 0
    }

    private func read(_ message: Message) {
        switch message {
        case .accepted(let arrival): admit(arrival)
        case .wake(let target):
            target.release()
            waiting(target)?.woken()
        case .worked(let target, let work):
            if let connection = waiting(target) { work.finish(connection) }
        case .memoryIsShort: endSlowest()
        }
    }

    private func waiting(_ target: WakeTarget) -> Connection? {
        guard let connection = connections[Int(target.slot)], connection.target === target
        else { return nil }
        return connection
    }
}
