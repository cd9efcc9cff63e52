// One connection, from accept to close. This file has its phases and what is allowed in each; the
// other files of this folder have the actions of a connection.
//
//   reading ──request──▶ handler ──send──▶ reading │ closing
//                           │ park ─▶ waiting ──resume──▶ (as after the handler)
//                           └ stream ▶ streaming ─finished▶ reading │ closing
//   closing ──sent──▶ lingering ──peer closed, or time is up──▶ closed

import CEpoll
import Glibc
import HTTPWire
import Ledger

/// The state of one connection. Confined to its shard, which lets go of it when it is closed.
final class Connection {
    enum Phase: UInt8 {
        case reading, waiting, streaming, closing, lingering, closed
    }

    /// Whether an answer is due, so that none is given twice or forgotten.
    enum Turn: UInt8 {
        case none, due, given
    }

    enum Awaiting: UInt8 {
        case nothing
        /// The next request, of which no more than an empty line has come (RFC 9112 section 2.2).
        case request
        case head, body
    }

    let shard: Shard
    // The shard's own, held here as well: a constant of this object is used without being retained.
    let intake: Intake
    let out: OutputBuffer
    let handler: any RequestHandler
    let descriptor: Int32
    let address: ClientAddress
    let verdict: Admission.Verdict
    let entrance: Entrance
    let listener: Listener
    /// The handler's state for this connection's client, kept from one request to the next.
    var clientState: AnyObject? {
        didSet {
            clientStateAddress = clientState.map {
                UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque())
            }
        }
    }
    private(set) var clientStateAddress: UnsafeRawPointer?
    /// The memory account of this connection's caller.
    private(set) var account: MemoryAccount
    let slot: Int
    /// Distinguishes the connections that have had this slot.
    let generation: UInt32

    var phase = Phase.reading
    var turn = Turn.none
    var interest: Readiness = [.readable, .peerClosed]

    // Properties of a request that are needed after its bytes are gone.
    var isHead = false
    var keepsAlive = true
    var minorVersion: UInt8 = 1
    /// The request is a GET or HEAD, which changes nothing.
    var isSafe = true
    var acceptsGzip = false
    /// The handler makes the refusal of an answer that it has made before.
    var isAnswerRefused = false
    /// `expectBody` has let the request at hand pass.
    var isExpected = false
    /// In `expectBody`: the whole body is there, its content coding not undone.
    var isBodyWhole = false
    /// `expectBody` wants no byte of the body.
    var leavesBody = false

    /// The client's sending side is closed.
    var peerClosed = false
    /// Whether the client was sent something after that, only to learn whether it is there.
    var hasAskedPeer = false
    /// There is unread input, or may be: close only after a while.
    var mustLinger = false
    /// Queued by the shard to go on in its next turn.
    var isQueued = false
    /// A stream was ended; its unsent bytes have one deadline, which progress does not extend.
    var isEnded = false
    var lingeredBytes = 0

    /// A request that is incomplete, or requests that wait for their turn.
    var inbound: InboundBuffer?
    /// Bytes that the socket had no room for.
    var outbound: OutputBuffer? {
        didSet { if outbound == nil { forgetUnsent() } }
    }
    /// The bytes that the budget for unsent bytes counts for this connection.
    var unsentCounted = 0
    /// The budget admitted the unsent bytes before the answer announced its length, so exceeding the
    /// budget does not close the connection.
    var isUnsentPromised = false
    /// The wake target of the present wait, if phase is `waiting` or `streaming`.
    var target: WakeTarget?
    /// The request, or its answer, is with the workers.
    var isWorking = false
    /// Set while a handler's request is parked.
    var resume: ((Exchange, WakeReason) -> ParkedStep)?
    var stream: StreamState?
    /// Where the body of the present request goes, if a sink takes it as it comes.
    var feed: BodyFeed?
    /// When the parked request or the stream is resumed without a wake.
    var wakeDeadline = UInt64.max
    /// When the shard's timer has to look at this connection.
    var deadline = UInt64.max
    /// When the connection has to be over: no deadline is later.
    var endsAt = UInt64.max
    /// Which part of an incomplete request is waited for, and since when.
    var awaiting = Awaiting.nothing
    var awaitingSince: UInt64 = 0
    /// When an incomplete body is refused, and how many bytes of it that time already allows for; nil
    /// before the deadline is set.
    var bodyDeadline: UInt64 = 0
    var bodyBytesCounted: Int?

    private var facade: Exchange?

    init(shard: Shard, _ arrival: Arrival, slot: Int, generation: UInt32) {
        self.shard = shard
        intake = shard.intake
        out = shard.out
        handler = shard.handler
        descriptor = arrival.descriptor
        address = arrival.address
        verdict = arrival.verdict
        entrance = arrival.entrance
        listener = arrival.listener
        account = shard.memory.accounts.account(of: arrival.address.caller)
        if entrance == .reserved { endsAt = shard.now.advanced(by: shard.reservedTime) }
        self.slot = slot
        self.generation = generation
    }

    /// Made at the first request, dropped at the end (the two refer to each other).
    var exchange: Exchange {
        if let facade { return facade }
        let exchange = Exchange(self)
        facade = exchange
        return exchange
    }

    var token: UInt64 {
        UInt64(generation) << 32 | UInt64(UInt32(truncatingIfNeeded: slot))
    }

    var limits: ServerLimits { shard.limits }

    /// Counts memory for another caller from now on, unsent bytes included.
    func count(for caller: CallerKey) {
        let next = shard.memory.accounts.account(of: caller)
        guard next !== account else { return }
        next.unsent.change(by: unsentCounted)
        account.unsent.change(by: -unsentCounted)
        shard.callerLines.leave(ObjectIdentifier(account))
        shard.callerLines.join(ObjectIdentifier(next))
        account = next
    }

    /// The user of the process at the other end of a socket file; `nil` for TCP, or when the system
    /// does not say. As it was when the client connected.
    var peerUserID: UInt32? {
        guard address == .none else { return nil }
        var peer = traitd_peer()
        var size = socklen_t(MemoryLayout<traitd_peer>.size)
        guard getsockopt(descriptor, SOL_SOCKET, traitd_SO_PEERCRED, &peer, &size) == 0 else {
            return nil
        }
        return peer.user
    }

    func watch(_ readiness: Readiness) {
        guard interest.rawValue != readiness.rawValue, phase != .closed else { return }
        interest = readiness
        shard.poller.change(descriptor, token: token, readiness)
    }

    @inline(__always)
    func setDeadline(_ time: UInt64) {
        deadline = min(time, endsAt)
        if deadline != .max { shard.wheel.file(slot, deadline: deadline) }
    }

    /// Like `setDeadline`; but a stream that is to be ended is not waited for any longer than that.
    @inline(__always)
    func setDeadlineOrEnd(_ time: UInt64) {
        setDeadline(min(time, stream?.endsAt ?? .max))
    }

    /// Something happened to the socket.
    func handle(_ readiness: Readiness) {
        if !readiness.isDisjoint(with: .dead) { return disconnected() }
        if readiness.contains(.writable) { writable() }
        guard !readiness.isDisjoint(with: [.readable, .peerClosed]) else { return }
        switch phase {
        case .reading:
            if outbound == nil, !isQueued { readable() }
        case .waiting, .streaming:
            if readiness.contains(.peerClosed) {
                peerClosedWhileWaiting()
            } else {
                // Pipelined input, which waits in the kernel for its turn.
                watch(outbound == nil ? .peerClosed : [.writable, .peerClosed])
            }
        case .lingering: discardInput()
        case .closing: watch(.writable)
        case .closed: break
        }
    }

    /// The time in `deadline` has come.
    func deadlineReached() {
        deadline = .max
        if endsAt <= shard.now { return timeIsOver() }
        if let stream, stream.endsAt <= shard.now { return endStream(.draining) }
        if outbound != nil { return stalled() }
        switch phase {
        case .reading:
            switch awaiting {
            case .nothing: isQueued ? armIdleDeadline() : close()
            case .request: close()
            case .head: refuseIncomplete(.headTimedOut(limits))
            case .body: refuseIncomplete(.bodyTimedOut(limits))
            }
        case .waiting:
            if peerClosed, !hasAskedPeer, shard.now < wakeDeadline { return askPeer() }
            resumeParked(.deadline)
            settle()
        case .streaming: produce()
        case .closing, .lingering: close()
        case .closed: break
        }
    }

    /// A client that has sent no request yet gets the reason for its short time limit.
    private func timeIsOver() {
        guard phase == .reading, outbound == nil else { return close() }
        endsAt = shard.now.advanced(by: shard.lingerTime)
        refuseIncomplete(.tooManyConnections(limits))
    }

    func armIdleDeadline() {
        setDeadline(shard.now.advanced(by: shard.idleTimeout))
    }

    /// The socket is beyond use in both directions.
    func disconnected() { close() }

    /// Ends everything, in any phase. The descriptor is closed here and nowhere else.
    func close() {
        guard phase != .closed else { return }
        if resume != nil { lastResume() }
        endWait()
        phase = .closed
        inbound = nil
        feed = nil
        outbound = nil
        facade = nil
        shard.forget(self)
        Glibc.close(descriptor)
    }

    /// The present wait is over; late wakes find nothing.
    func endWait() {
        wakeDeadline = .max
        target?.end()
        target = nil
        if isWorking {
            isWorking = false
            shard.counters.working.add(-1)
        }
        if resume != nil {
            resume = nil
            shard.counters.parked.add(-1)
        }
        if let stream {
            self.stream = nil
            shard.counters.streams.add(-1)
            stream.source.closed()
        }
    }
}
