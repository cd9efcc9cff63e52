// A world of one seed: three replicas over the model of etcd, clients, faults for 20 virtual seconds, healing, and the
// checks at the end. One process runs one world, since what a killed replica had is never released.

import Background
import EtcdLog
import Glibc
import SeededRandom
import SessionLogTestSupport
import SessionScripts
import SessionViews
import Simulated
import TraitSessions

package struct WorldOptions {
    package var seed: UInt64 = 1
    /// The numbers of the faults that happen; nil for all.
    package var faults: Set<Int>?
    package var clients = 12
    /// How many of the last lines of the trace are printed when something is found; 0 keeps no lines.
    package var traceLines = 0

    package init() {}
}

package final class World: @unchecked Sendable {
    static let nodeCount = 6
    /// Worlds of so many kinds take turns: with a session for a model, with none, with sessions for scripts.
    static let kinds: UInt64 = 3
    /// Values of `t` are temporary.
    static let traits = ["w", "t"]
    private static let streamCount = 4
    private static let modelStreamCount = 4
    private static let makerCount = 2
    /// Nanoseconds of virtual time in which clients write and faults happen.
    package static let busyTime: UInt64 = 20_000_000_000
    /// How long replicas may take to be equal after the last fault.
    private static let healingMax: UInt64 = 15_000_000_000

    package let options: WorldOptions
    let scheduler: Scheduler
    package internal(set) var tally = Tally()
    let etcd: SimulatedEtcd
    /// The log of a world without etcd.
    let memory: MemoryLog?
    /// The disk of a world with one store.
    let disk: SimulatedDisk?
    let sessions: [String]
    /// Sessions that scripts write to.
    let scripted: [(name: String, body: String)]
    /// The session whose streams are compared with a model.
    let modelled: String?
    /// Those of all kinds.
    let names: [String]
    /// Those whose writes are known by the causes of their commits.
    let marked: Set<String>
    /// What the clocks of each replica are ahead, in nanoseconds.
    let clocks: [(uptime: UInt64, wall: Int64)]
    /// The least and the most that a wall clock has ever been ahead.
    var clocksAhead: ClosedRange<Int64>
    private(set) lazy var replicas = (0..<(disk == nil ? 3 : 1)).map { Replica($0, self) }
    private(set) lazy var history = History(self)
    private(set) lazy var entries = ToldEntries(self)
    private(set) lazy var streamed = StreamedRecords(self)
    private(set) lazy var models = StreamedStates(self)
    private var readers: [StreamReader] = []
    private let others: SimulatedProcess
    private var clientsLeft = 0
    /// Whether the sessions are made.
    private(set) var isBusy = false
    /// Whether clients begin no further requests.
    var isEnding = false
    /// Whether streams end, too.
    var isOver = false
    /// Whether etcd lacks what clients were shown.
    var isRestored = false

    package init(_ options: WorldOptions) {
        self.options = options
        scheduler = Scheduler(seed: options.seed, keepsTrace: options.traceLines > 0)
        var random = SeededRandom(seed: options.seed, for: "world")
        sessions = (0..<1 + random.below(4)).map { "s\($0)" }
        scripted = Self.scripted(options.seed)
        modelled = options.seed % Self.kinds == 1 ? "m" : nil
        marked = Set(scripted.map(\.name) + [modelled].compactMap(\.self))
        names = sessions + marked.sorted()
        let areClocksEqual = random.chance(50)
        clocks = (0..<3).map { _ in
            let wall = Int64(random.below(400_000_000)) - 200_000_000
            return (UInt64(random.below(1 << 40)), areClocksEqual ? 0 : wall)
        }
        clocksAhead = clocks.map(\.wall).reduce(0...0) {
            min($0.lowerBound, $1)...max($0.upperBound, $1)
        }
        etcd = SimulatedEtcd(scheduler, seed: options.seed, members: 3)
        memory =
            options.seed % Self.memoryWorlds == 0
            ? MemoryLog(
                maxBatchEntries: random.chance(30) ? 2 : .max,
                maxBatchBytes: random.chance(20) ? 600 : .max,
                appendsAtATime: 1 + random.below(2)) : nil
        disk =
            Self.hasDisk(options.seed) ? SimulatedDisk(scheduler, seed: options.seed) : nil
        others = scheduler.makeProcess("clients")
        etcd.count = { [unowned self] in tally.add($0) }
    }

    /// Lets other threads run now and then, as a processor does.
    package func giveWay() { scheduler.giveWay() }

    package var traceHash: UInt64 { scheduler.trace.hash }

    // MARK: - What replicas get

    /// Snapshots come after some commits, so that replicas start from one, and logs without room drop entries.
    private(set) lazy var limits: ServiceLimits = {
        var random = SeededRandom(seed: options.seed, for: "limits")
        var limits = ServiceLimits()
        limits.snapshotEvery = random.pick([7, 40, 200, 10_000]) ?? 40
        // A log of its own keeps no entries for others.
        if disk != nil { limits.retainedCommitsMax = random.pick([1_000, 10_000]) ?? 1_000 }
        if modelled != nil { limits.heartbeatMilliseconds = random.pick([200, 1_000]) ?? 200 }
        return limits
    }()

    func logOptions(of replica: Int) -> EtcdLogOptions {
        var random = SeededRandom(seed: options.seed, for: "options \(replica)")
        var options = EtcdLogOptions(
            endpoints: (0..<etcd.memberCount).map { "http://etcd-\($0)" })
        options.versions = SessionHeader.versions
        options.replica = "r\(replica)"
        options.network = SimulatedNetwork(etcd, replica: replica)
        if Self.hasUsers(self.options.seed) { options.user = SimulatedEtcd.user }
        options.sweepEvery = .seconds(1 + random.below(10))
        options.compaction = random.chance(50) ? .seconds(3) : .seconds(600)
        return options
    }

    func environment(of process: SimulatedProcess) -> SessionEnvironment {
        nonisolated(unsafe) let scheduler = scheduler
        var environment = SessionEnvironment(
            now: { scheduler.wallNanoseconds / 1_000_000 },
            uptime: { Int64(scheduler.nanoseconds / 1_000_000) },
            random: { scheduler.random() })
        environment.ticks = { scheduler.nanoseconds }
        // Other threads run meanwhile.
        environment.hasBegunLongWrite = { _ in
            Uptime.pause(.microseconds(Int64(scheduler.random() % 30_000)))
        }
        return environment
    }

    /// The least of the replicas' wall clocks, in milliseconds since 1970.
    var earliestWallMilliseconds: Int64 {
        let ahead = replicas.compactMap { $0.running?.process.wallAhead }.min() ?? 0
        return (scheduler.wallNanoseconds + ahead) / 1_000_000
    }

    /// The most milliseconds by which two clocks have ever differed, rounded up.
    var clocksDiffer: Int64 { (clocksAhead.upperBound - clocksAhead.lowerBound) / 1_000_000 + 2 }

    // MARK: - The run

    /// Runs the world. Returns when nothing was found; otherwise the process ends with status 3.
    package func run() {
        Machines.simulated = scheduler
        prepareDisk()
        scheduler.start("world", in: others, isClient: true) { [self] in live() }
        switch scheduler.run(until: 180_000_000_000) {
        case .finished: break
        case .deadlock(let report): found("a client waits for ever\n\(report)")
        case .late(let report): found("the world does not end\n\(report)")
        }
    }

    private func live() {
        for replica in replicas { replica.start() }
        waitForReplicas()
        make(sessions.map { ($0, Self.body) } + scripted)
        if let modelled { make([(modelled, StreamScript.creation)]) }
        for number in 0..<options.clients { startClient(number) }
        for number in 0..<Self.makerCount {
            startClient("maker \(number)") { [self] in Maker(self, number).run() }
        }
        for session in sessions {
            for registration in Keeper.registrations.prefix(isOfLeases ? 4 : 1) {
                scheduler.start("keeper", in: others) { [self] in
                    Keeper(self, registration, in: session).run()
                }
            }
        }
        startClient("importer") { [self] in Importer(self).run() }
        var random = SeededRandom(seed: options.seed, for: "streams")
        readers = (0..<Self.streamCount).map {
            CommitReader(self, $0, of: random.pick(names) ?? "")
        }
        if let modelled {
            readers += (0..<Self.modelStreamCount).map { ModelReader(self, $0, of: modelled) }
        }
        for reader in readers { scheduler.start("reader", in: others) { reader.run() } }
        isBusy = true
        let begun = scheduler.now
        for fault in Fault.all(seed: options.seed, within: Self.busyTime)
        where options.faults?.contains(fault.number) ?? true {
            scheduler.at(begun + fault.time) { [self] in begin(fault) }
        }
        // A log in memory answers at once, so that a quarter of the time has as many commits.
        Uptime.pause(.nanoseconds(Int64(memory == nil ? Self.busyTime : Self.busyTime / 4)))
        isEnding = true
        heal()
        etcd.model.backUp()
        waitForClients()
        writeHealed()
        Ending(self, readers).check()
        if disk != nil { forge() }
        restoreEtcd()
        isOver = true
        scheduler.changed()
    }

    func startClient(_ number: Int) {
        startClient("client \(number)") { [self] in Client(self, number).run() }
    }

    private func startClient(_ name: String, _ run: @escaping () -> Void) {
        clientsLeft += 1
        scheduler.start(name, in: others) { [self] in
            run()
            clientsLeft -= 1
            scheduler.changed()
        }
    }

    func waitForReplicas() {
        let isReady = scheduler.wait(until: scheduler.nanoseconds + Self.healingMax) {
            replicas.allSatisfy { $0.running?.isReady ?? false }
        }
        if !isReady { found("a replica does not start\n\(scheduler.report)") }
    }

    private static let body = {
        let nodes = (0..<nodeCount).map { #"{"id":"n\#($0)","kind":"environment"}"# }
        return
            #"{"traits":{"w":{"type":"int","default":0},"t":{"type":"int","default":0}},"nodes":[\#(nodes.joined(separator: ","))]}"#
    }()

    private func make(_ all: [(name: String, body: String)]) {
        for (number, (name, body)) in all.enumerated() {
            var isMade = false
            while !isMade {
                waitForReplicas()
                guard let running = replicas[number % replicas.count].running else { continue }
                let exchange = Exchange(scheduler, to: running, way: (100_000, 100_000)) {
                    [self] in Handler(self, $0)?.create(name, body) ?? false
                }
                isMade = exchange.wait(until: .max) ?? false
            }
        }
    }

    private func heal() {
        scheduler.trace.note(scheduler.now, "healing")
        etcd.heal()
        endDiskFaults()
        for replica in replicas {
            if let process = replica.running?.process {
                if process.isStopped { scheduler.resume(process) }
                scheduler.endStall(of: process)
            }
            if replica.running?.isClosing ?? false { replica.kill() }
            replica.start()
        }
        waitForReplicas()
    }

    func waitForClients() {
        let areDone = scheduler.wait(until: scheduler.nanoseconds + 2 * Self.healingMax) {
            clientsLeft == 0
        }
        if !areDone { found("\(clientsLeft) requests have no answer\n\(scheduler.report)") }
    }

    /// Clients write at once and then no more, so that no later write has the queue of a session go on.
    private func writeHealed() {
        let clients = (0..<6).map { Client(self, options.clients + $0) }
        for _ in 0..<20 {
            for client in clients {
                clientsLeft += 1
                scheduler.start("client", in: others) { [self] in
                    client.writeHealed()
                    clientsLeft -= 1
                    scheduler.changed()
                }
            }
            waitForClients()
        }
    }

    // MARK: - Findings

    /// Ends the process.
    func found(_ what: String) -> Never {
        let seconds = Double(scheduler.now) / 1e9
        print("found: seed \(options.seed), \(seconds) s: \(what)")
        if options.traceLines > 0 {
            let lines = scheduler.trace.text.split(separator: 0x0A).suffix(options.traceLines)
            for line in lines { print(String(decoding: line.prefix(400), as: UTF8.self)) }
        }
        fflush(nil)
        _exit(3)
    }
}
