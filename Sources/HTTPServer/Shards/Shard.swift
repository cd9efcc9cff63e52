// A shard: one serial queue, one epoll descriptor, one mailbox, and the connections it owns. This
// file has its state; Shard+Turns.swift has its turns.

import DequeModule
import Dispatch
import Glibc
import HTTPWire
import Ledger

/// The bytes of the request that is answered now.
struct RequestAtHand {
    var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    var body = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Keeps the body's bytes, if they are not in a buffer of the connection's or the shard's.
    var bodyOwner: AnyObject?
}

/// The work that a turn has found.
struct FoundWork {
    /// The connections that the timer wheel found, and how many of them have been checked.
    var due = ContiguousArray<Int32>()
    var dueRead = 0
    /// The events of the last wait, and how many of them have been handled.
    var eventCount = 0
    var eventsRead = 0
    var messages = ContiguousArray<Message>()
    var messagesRead = 0
    /// Whether unfinished requests exceed their budget, so that some have to end.
    var needsRoom = false

    var hasEvents: Bool { eventsRead < eventCount }
    var hasMessages: Bool { messagesRead < messages.count }
    var hasDue: Bool { dueRead < due.count }
}

/// One of the server's independent loops.
///
/// `@unchecked Sendable`: everything but the constants and the mailbox is touched on `queue` only,
/// which `run` checks; before `start`, by the one thread that makes it.
final class Shard: @unchecked Sendable {
    let index: Int
    let queue: DispatchQueue
    let mailbox: Mailbox
    let poller: Poller
    let handler: any RequestHandler
    let limits: ServerLimits
    let wireLimits: WireLimits
    let counters = ShardCounters()
    let admission: Admission
    let workers: Workers
    /// The bytes of incomplete requests, and the bytes of unsent answers.
    let collected: ByteBudget
    let unsent: ByteBudget
    let spares: SpareBuffers
    let memory: MemoryLedger

    // The limits that are times, in nanoseconds.
    let headerTimeout: UInt64
    let bodyTimeout: UInt64
    let idleTimeout: UInt64
    let writeStallTimeout: UInt64
    let lingerTime: UInt64
    let reservedTime: UInt64

    // Scratch storage that all connections share, so that an idle connection owns none.
    let scratch: UnsafeMutableRawBufferPointer
    let out = OutputBuffer()
    var records = OutputBuffer()
    lazy var compressed = OutputBuffer()
    lazy var inflated = OutputBuffer()
    lazy var gzip = GzipEncoder(level: 1)
    lazy var gunzip = GzipDecoder()

    // Exclusivity is not checked at run time for properties that every request uses. Only the
    // shard's queue accesses them, and no call during an access leads to another access of the same
    // property.

    let intake: Intake
    @exclusivity(unchecked) var request = RequestAtHand()

    // Connections by slot. A generation is never used twice within four thousand million.
    @exclusivity(unchecked) var connections = ContiguousArray<Connection?>()
    private var generations = ContiguousArray<UInt32>()
    private var freeSlots = ContiguousArray<Int32>()
    private(set) var connectionCount = 0

    @exclusivity(unchecked) var now: UInt64
    @exclusivity(unchecked) var turnClock: TurnClock
    @exclusivity(unchecked) var date: HTTPDate
    @exclusivity(unchecked) var wheel: TimerWheel
    @exclusivity(unchecked) var found = FoundWork()
    /// Connections that have more to do, the one that has waited longest first.
    @exclusivity(unchecked) var nextTurn = Deque<Connection>()
    private var serials: UInt64 = 0
    /// The callers of this shard's connections, and which is next when a turn cannot serve all.
    @exclusivity(unchecked) var callerLines = CallerLines()

    /// The first shard's.
    var acceptor: Acceptor?
    var source: (any DispatchSourceRead)?
    var timer: (any DispatchSourceTimer)?
    /// When the dispatch timer goes off.
    var armedFor = UInt64.max
    var isDraining = false
    var isStopped = false
    /// Called once each, when a draining shard has no connection left.
    var drained = [@Sendable () -> Void]()

    /// The objects that all shards of a server share.
    struct Common: Sendable {
        let admission: Admission
        let workers: Workers
        let collected: ByteBudget
        let unsent: ByteBudget
        let spares = SpareBuffers()

        init(_ configuration: ServerConfiguration) {
            admission = Admission(configuration.limits)
            workers = Workers(threads: configuration.workers)
            collected = ByteBudget(bytesMax: configuration.limits.collectedBytesMax)
            unsent = ByteBudget(bytesMax: configuration.limits.unsentBytesMax)
        }
    }

    init(
        index: Int, configuration: ServerConfiguration, handler: any RequestHandler,
        _ common: Common
    ) throws(ServerError) {
        self.index = index
        self.handler = handler
        admission = common.admission
        workers = common.workers
        collected = common.collected
        unsent = common.unsent
        spares = common.spares
        memory = configuration.memory
        limits = configuration.limits
        wireLimits = configuration.wireLimits
        headerTimeout = ServerLimits.nanoseconds(limits.headerTimeoutSeconds)
        bodyTimeout = ServerLimits.nanoseconds(limits.bodyTimeoutSeconds)
        idleTimeout = ServerLimits.nanoseconds(limits.idleTimeoutSeconds)
        writeStallTimeout = ServerLimits.nanoseconds(limits.writeStallTimeoutSeconds)
        lingerTime = ServerLimits.nanoseconds(limits.lingerSeconds)
        reservedTime = ServerLimits.nanoseconds(limits.reservedTimeoutSeconds)
        turnClock = TurnClock(
            turnTime: UInt64(max(1, limits.turnMicrosecondsMax)) &* 1_000,
            slow: UInt64(max(1, limits.slowTurnMicrosecondsMin)) &* 1_000)
        queue = DispatchQueue(label: "http.shard.\(index)")
        mailbox = try Mailbox()
        poller = try Poller()
        scratch = .allocate(byteCount: 65_536, alignment: 64)
        intake = Intake(limits: configuration.wireLimits)
        now = MonotonicClock.now()
        date = HTTPDate(unixSeconds: Int64(time(nil)))
        wheel = TimerWheel(now: now)
    }

    deinit { scratch.deallocate() }

    /// Takes over a connected socket.
    func admit(_ arrival: Arrival) {
        let slot = takeSlot()
        let connection = Connection(
            shard: self, arrival, slot: slot, generation: generations[slot])
        connections[slot] = connection
        connectionCount += 1
        callerLines.join(ObjectIdentifier(connection.account))
        counters.connections.add(1)
        counters.accepted.add(1)
        guard poller.add(arrival.descriptor, token: connection.token, connection.interest) else {
            return connection.close()
        }
        switch arrival.verdict {
        case .welcome, .health:
            connection.armIdleDeadline()
            if isDraining { closeIfIdle(connection) }
        case .reserved:
            connection.setDeadline(connection.endsAt)
            if isDraining { closeIfIdle(connection) }
        case .tooMany: turnAway(connection, .tooManyConnections(limits))
        case .tooManyFromAddress:
            turnAway(connection, .tooManyConnectionsFromAddress(limits))
        case .closed: connection.close()
        }
    }

    private func turnAway(_ connection: Connection, _ error: WireError) {
        connection.refuse(error, UnsafeRawBufferPointer(start: nil, count: 0))
        connection.settle()
    }

    private func takeSlot() -> Int {
        if let slot = freeSlots.popLast() { return Int(slot) }
        connections.append(nil)
        generations.append(0)
        wheel.addSlot(connections.count - 1)
        return connections.count - 1
    }

    /// The connection is about to close its descriptor.
    func forget(_ connection: Connection) {
        let slot = connection.slot
        wheel.remove(slot)
        connections[slot] = nil
        generations[slot] &+= 1
        freeSlots.append(Int32(truncatingIfNeeded: slot))
        connectionCount -= 1
        callerLines.leave(ObjectIdentifier(connection.account))
        counters.connections.add(-1)
        admission.leave(connection.address, after: connection.verdict)
        if isDraining, connectionCount == 0 { reportDrained() }
    }

    func reportDrained() {
        let waiting = drained
        drained = []
        for done in waiting { done() }
    }

    func makeTarget(_ connection: Connection) -> WakeTarget {
        serials &+= 1
        return WakeTarget(
            mailbox: mailbox, slot: Int32(truncatingIfNeeded: connection.slot), serial: serials)
    }

    func forgetRequest() {
        request.bytes = UnsafeRawBufferPointer(start: nil, count: 0)
        request.body = UnsafeRawBufferPointer(start: nil, count: 0)
        if request.bodyOwner != nil { request.bodyOwner = nil }
    }

    /// The connection has more to do, but not before others had their turn.
    func queueForNextTurn(_ connection: Connection) {
        guard !connection.isQueued else { return }
        connection.isQueued = true
        nextTurn.append(connection)
    }
}
