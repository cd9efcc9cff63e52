// A replica: a store of sessions over `EtcdLog`, as `traitd serve` assembles them, in a simulated process that can be
// killed and started again.

import Background
import EtcdLog
import SQLiteLog
import SeededRandom
import SessionLog
import SessionLogTestSupport
import SessionViews
import Simulated
import TraitSessions

/// One process of a replica, from its start to its end.
final class RunningReplica: @unchecked Sendable {
    let number: Int
    let process: SimulatedProcess
    private let world: World
    private(set) var log: (any SessionLog)?
    private(set) var store: SessionStore?
    private var subscription: LogSubscription?
    private(set) var isReady = false
    /// The calls of the disk that had failed before.
    private let failuresBefore: Int
    /// The newest revision of etcd before.
    private let began: Int64

    init(_ number: Int, _ process: SimulatedProcess, _ world: World) {
        self.number = number
        self.process = process
        self.world = world
        failuresBefore = world.disk?.faults.failures ?? 0
        began = world.etcd.model.revision
    }

    /// Of the process's first thread.
    fileprivate func run() {
        do {
            try open()
        } catch {
            if world.refusesStart(error) { return }
            // The supervisor starts it again.
            world.tally.add("start failed")
            if world.disk != nil {
                world.expectFailedDisk("the log does not open: \(error)", since: failuresBefore)
            }
            world.scheduler.trace.note(world.scheduler.now, "start failed: \(error)")
            Uptime.pause(.milliseconds(300))
            return world.replicas[number].restart(self)
        }
        isReady = true
        world.scheduler.changed()
        world.scheduler.start("values", in: process) { [self] in
            while true {
                Uptime.pause(.milliseconds(400))
                store?.endExpiredValues()
            }
        }
        while true {
            Uptime.pause(.seconds(1))
            store?.removeIdleFeeds()
            store?.releaseIdleRows()
            store?.endExpiredLeases()
            store?.retryFollowing()
            store?.makeRoom()
            store?.past.removeExpired()
            store?.tendPasts()
            if let reason = log?.trouble, !isClosing, !world.isRestored {
                world.expectFailedDisk("the log is closed: \(reason)", since: failuresBefore)
                return world.replicas[number].restart(self)
            }
        }
    }

    private func open() throws {
        let log = try world.openLog(of: self)
        self.log = log
        // A log that tells out of order has one follower.
        let told: any SessionLog = world.memory ?? log
        subscription = told.follow(world.entries.collector(of: number))
        let counted = CountedLog(log, world, since: began)
        let store = SessionStore(
            limits: world.limits, environment: world.environment(of: process), log: counted)
        self.store = store
        try store.openAll()
        if world.disk != nil { return try world.takeEntries(of: log) }
        try store.follow { [world] failure in
            switch failure.cause {
            case .damaged, .unsupported, .refused:
                world.found("a session cannot follow its log: \(failure)")
            case .unavailable, .outOfMemory: world.tally.add("behind")
            }
        }
        store.finishFollowing()
    }

    private(set) var isClosing = false

    /// Ends in good order, beside what still runs.
    func close() {
        isClosing = true
        world.scheduler.start("closing", in: process) { [self] in
            (log as? EtcdLog)?.close()
            (log as? SQLiteLog)?.end()
        }
    }
}

/// A replica across its processes.
final class Replica {
    let number: Int
    private let world: World
    private(set) var running: RunningReplica?
    /// What belonged to killed processes. It is never released, as none of their threads runs again.
    private var graves: [RunningReplica] = []

    init(_ number: Int, _ world: World) {
        self.number = number
        self.world = world
    }

    func start() {
        guard running == nil else { return }
        let skew = world.clocks[number]
        let process = world.scheduler.makeProcess(
            "replica \(number)", uptimeAhead: skew.uptime, wallAhead: skew.wall)
        let started = RunningReplica(number, process, world)
        running = started
        world.scheduler.start("main", in: process) { started.run() }
    }

    func kill() {
        guard let running else { return }
        graves.append(running)
        self.running = nil
        world.etcd.drop(running.process)
        world.disk?.dropHandles()
        world.scheduler.kill(running.process)
        world.scheduler.changed()
    }

    fileprivate func restart(_ ended: RunningReplica) {
        world.scheduler.at(world.scheduler.now + 1) { [self] in
            guard running === ended else { return }
            kill()
            start()
        }
    }
}
