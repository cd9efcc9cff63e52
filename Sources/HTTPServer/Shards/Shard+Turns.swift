// How a shard spends its time. Dispatch is told of one descriptor only, the shard's epoll set, and so
// pays its price (disarm, hand over, arm again) once for a batch of requests instead of for each. While
// traffic flows the shard stays, waiting a moment for more inside epoll_wait; a stay is bounded, so that
// the queue's other items get their turn.
//
// A stay consists of turns: one epoll_wait and the work that follows. A turn is bounded in time, so that
// new events wait no longer than that, whatever one connection has pipelined and however many messages,
// deadlines and unfinished connections there are. What is left stays in its order for the next turn.

import DequeModule
import Dispatch
import Glibc

extension Shard {
    /// A stay ends after this time even if there is more to do. Each end costs the requests of that
    /// moment what Dispatch takes to come back, so that it must not happen often.
    private static let stayNanosecondsMax: UInt64 = 100_000_000
    /// How long a stay waits for more. Longer than a tick of the kernel's clock, or each wait would have
    /// the processor's timer set anew, which costs more than all that we do for a small request.
    private static let lingerMilliseconds: Int32 = 10
    /// Letters of one turn; a wake of thousands of streams must not keep requests waiting.
    private static let lettersPerTurnMax = 256

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
        source.setEventHandler { [self] in stay() }
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
            stay()
        }
        // Dispatch opens the descriptor of its timers when it first has to wait for one, and when there
        // is none left, none of its timers goes off: neither deadlines nor the pause of accepting.
        timer.schedule(deadline: .now() + .seconds(60))
        self.source = source
        self.timer = timer
        timer.activate()
        source.activate()
    }

    /// Called by Dispatch when there are events, or the timer went off.
    private func stay() {
        dispatchPrecondition(condition: .onQueue(queue))
        let start = MonotonicClock.now()
        var milliseconds: Int32 = 0
        while !isStopped {
            let count = poller.wait(milliseconds: hasWork ? 0 : milliseconds)
            refreshClock()
            turnClock.begin()
            let hadWork = hasWork
            turn(count)
            endTurn()
            if count == 0, !hadWork, !hasWork { break }
            if now &- start >= Self.stayNanosecondsMax { break }
            milliseconds = Self.lingerMilliseconds
        }
        guard !isStopped else { return }
        if hasWork { mailbox.ring() }
        armTimer()
    }

    private var hasWork: Bool {
        !nextTurn.isEmpty || lettersRead < letters.count || dueRead < due.count
    }

    /// Whether new events should come before what is left to do.
    var isTurnOver: Bool { turnClock.isOver }

    /// Measures the turn and tells the handler. One look at the clock serves both, once for all requests
    /// of the turn.
    private func endTurn() {
        let end = MonotonicClock.now()
        turnClock.note(nanoseconds: end &- now, endedAt: end, counters)
        handler.turnEnded(shard: index, now: end)
    }

    private func refreshClock() {
        now = MonotonicClock.now()
        date.update(unixSeconds: Int64(time(nil)))
    }

    /// Events, then what was left from before, then letters, then deadlines. Of each at least one is
    /// dealt with, so that none of them waits for ever.
    private func turn(_ count: Int) {
        if count == Poller.eventsMax, callerLines.hasSeveralCallers {
            serveCallersInTurn()
        } else {
            for index in 0..<count { handle(event: index) }
        }
        if !nextTurn.isEmpty { goOn() }
        if lettersRead < letters.count { readLetters() }
        if needsRoom { makeRoom() }
        wheel.advance(to: now, due: &due)
        if dueRead < due.count { checkDeadlines() }
    }

    @inline(__always)
    func handle(event index: Int) {
        let (token, readiness) = poller.event(index)
        if token <= Self.connectionTokenMax {
            connection(token)?.handle(readiness)
        } else if token == Self.mailboxToken {
            collectLetters()
        } else {
            accept(token)
        }
    }

    /// `nil` when the connection was closed earlier in this turn, and for what is none.
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
        // Those that are queued again meanwhile come after all that wait now.
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
        while dueRead < due.count {
            let slot = Int(due[dueRead])
            dueRead += 1
            guard let connection = connections[slot] else { continue }
            if connection.deadline > now {
                connection.setDeadline(connection.deadline)
                continue
            }
            connection.deadlineReached()
            if dueRead < due.count, isTurnOver { return }
        }
        due.removeAll(keepingCapacity: true)
        dueRead = 0
    }

    /// Sees to it that the shard is called for its next deadline, though nothing else happens.
    private func armTimer() {
        guard let next = wheel.nextDeadline(), next < armedFor else { return }
        armedFor = next
        let delay = next > now ? next &- now : 0
        timer?.schedule(
            deadline: .now() + .nanoseconds(Int(min(delay, 1 << 40))), leeway: .milliseconds(1))
    }

    // MARK: Letters

    private func collectLetters() {
        // Those of a turn before come first; the bell stays on until it is their turn.
        guard letters.isEmpty else { return }
        mailbox.collect(into: &letters)
    }

    private func readLetters() {
        let end = min(letters.count, lettersRead + Self.lettersPerTurnMax)
        while lettersRead < end, !isStopped {
            let letter = letters[lettersRead]
            lettersRead += 1
            read(letter)
            if lettersRead < end, isTurnOver { break }
        }
        if lettersRead == letters.count { forgetLetters() }
    }

    /// They may hold the last reference to something large.
    private func forgetLetters() {
        letters.removeAll(keepingCapacity: letters.capacity <= 65_536)
        lettersRead = 0
    }

    private func read(_ letter: Letter) {
        switch letter {
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
