// The checks after healing: every replica answers, all have one head, digest and state for each session, the log has what
// was acknowledged and nothing that was refused, and every stream is at the head.

import Background
import EtcdLog
import SessionLog
import SessionScripts
import Simulated
import TraitJSON
import TraitSessions

struct Ending {
    private let world: World
    private let readers: [StreamReader]

    init(_ world: World, _ readers: [StreamReader]) {
        self.world = world
        self.readers = readers
    }

    /// How long a request may take when no fault is left, in nanoseconds.
    private static let answerMax: UInt64 = 12_000_000_000
    private static let streamMax: UInt64 = 2_000_000_000

    /// Most of what ends by itself has ended after this time, in seconds.
    private static let rest = 20
    private static let triesMax = 3

    func check() {
        // Values and leases may end meanwhile, so replicas are compared later.
        for replica in world.replicas {
            for session in world.names { _ = state(of: session, at: replica) }
        }
        checkStreams()
        Uptime.pause(.seconds(Self.rest))
        for session in world.names { checkStates(of: session) }
        checkNames()
        checkStreams()
        for reader in readers { (reader as? ModelReader)?.check(world.models.all(reader.session)) }
    }

    /// The replicas have the state of the log. A value that ends meanwhile, as few do after so long, is no difference.
    private func checkStates(of session: String) {
        for tries in (0..<Self.triesMax).reversed() {
            let states = world.replicas.map { state(of: session, at: $0) }
            let areAlike = states.allSatisfy { $0.read.revision == states[0].read.revision }
            if !areAlike, tries > 0 { continue }
            for replica in states.indices {
                compare(states[replica], states[0], session, replica)
            }
            if checkLog(of: session, states[0]) { return }
        }
        world.found("the log of '\(session)' is ahead of the replicas")
    }

    private struct State: Equatable {
        let read: ReadAnswer
        let dump: [UInt8]
    }

    /// The state of a session at a replica that has all that the log has.
    private func state(of session: String, at replica: Replica) -> State {
        let floor = world.history.floor(session)
        guard let running = replica.running else { world.found("a replica is gone") }
        let deadline = world.scheduler.nanoseconds + Self.answerMax
        let exchange = Exchange(world.scheduler, to: running, way: (1_000, 1_000)) {
            [world] running -> State? in
            guard let handler = Handler(world, running) else { return nil }
            do throws(SessionError) {
                try handler.confirm([], all: true)
            } catch {
                return nil
            }
            handler.store.finishFollowing()
            guard let read = handler.read(session), let found = handler.store.find(session) else {
                return nil
            }
            return State(read: read, dump: Dump.bytes(of: found))
        }
        guard let answer = exchange.wait(until: deadline) ?? nil else {
            world.found(
                "replica \(replica.number) does not answer after healing\n\(world.scheduler.report)"
            )
        }
        world.history.read(session, answer.read, since: floor, at: replica.number)
        return answer
    }

    private func compare(_ state: State, _ first: State, _ session: String, _ replica: Int) {
        if state == first { return }
        world.found(
            "'\(session)' is at \(state.read) at replica \(replica), and at \(first.read) at replica 0"
        )
    }

    /// - Returns: whether the log is where the state is, and not further.
    private func checkLog(of session: String, _ state: State) -> Bool {
        guard let running = world.replicas[0].running, let log = running.log else {
            world.found("replica 0 has no log")
        }
        let exchange = Exchange(world.scheduler, to: running, way: (1_000, 1_000)) {
            [world] running -> [LogEntry?]? in
            do throws(LogFailure) {
                guard let found = try log.session(named: session) else {
                    world.found("the log has no '\(session)'")
                }
                let tail = try log.tail(of: found, after: 0, limit: .max)
                world.entries.take(tail, of: found, from: "the log")
                guard check(found, log, state, of: running) else { return nil }
            } catch {
                world.found("the log of '\(session)' is not readable: \(error)")
            }
            return world.entries.byName[session] ?? []
        }
        let deadline = world.scheduler.nanoseconds + Self.answerMax
        guard let answer = exchange.wait(until: deadline) else {
            world.found("the log is not read after healing\n\(world.scheduler.report)")
        }
        guard let told = answer else { return false }
        let entries = told.compactMap(\.self)
        guard entries.count == told.count, entries.count == Int(state.read.revision) else {
            world.found(
                "'\(session)' has \(entries.count) entries, and is at revision \(state.read.revision)"
            )
        }
        var previous: UInt64 = 0
        for entry in entries {
            if !entry.follows(previous) {
                world.found(
                    "revision \(entry.revision) of '\(session)' does not follow the one before")
            }
            previous = entry.checksum
        }
        world.history.check(session, entries)
        return true
    }

    /// The log replayed, and a snapshot, give the state that the replicas have. The time of its head is known.
    ///
    /// - Returns: whether the log is where the state is, and not further.
    private func check(
        _ session: LogSession, _ log: any SessionLog, _ state: State, of running: RunningReplica
    ) -> Bool {
        let time = world.entries.byName[session.name]?.last??.time ?? 0
        do {
            for isSnapshot in [false, true] {
                if isSnapshot { try running.store?.find(session.name)?.writeSnapshot() }
                let loaded = try Session.load(
                    session, from: log, limits: world.limits,
                    environment: world.environment(of: running.process))
                let (head, digest, before) = loaded.withState {
                    ($0.head, $0.digest, try? $0.pastRevision(.time(time - 1)))
                }
                if head > state.read.revision { return false }
                if head != state.read.revision || digest != state.read.digest
                    || Dump.bytes(of: loaded) != state.dump
                {
                    world.found("'\(session.name)' from the log differs from the replicas'")
                }
                if before == head {
                    world.found("'\(session.name)' from the log is at \(head) before its time")
                }
            }
        } catch let error as SessionError where error.code == .logUnavailable {
            // What ends meanwhile waits for the log, so that no snapshot is taken.
            return false
        } catch {
            world.found("'\(session.name)' cannot be loaded: \(error)")
        }
        return true
    }

    /// etcd keeps the name of each replica as long as the replica renews its lease.
    private func checkNames() {
        guard let running = world.replicas[0].running, running.log is EtcdLog else { return }
        let exchange = Exchange(world.scheduler, to: running, way: (1_000, 1_000)) { [world] _ in
            (try? EtcdLogStatus.read(world.logOptions(of: 0)))?.replicas ?? []
        }
        let names = exchange.wait(until: world.scheduler.nanoseconds + Self.answerMax)
        if names == world.replicas.map({ "r\($0.number)" }) { return }
        world.found("the status of the log names \(names ?? [])")
    }

    private func checkStreams() {
        let deadline = world.scheduler.nanoseconds + Self.streamMax
        let areThere = world.scheduler.wait(until: deadline) {
            readers.allSatisfy(\.isAtHead)
        }
        if areThere { return }
        for reader in readers where !reader.isAtHead {
            world.found("\(reader.place) \(Self.streamMax / 1_000_000_000) s after healing")
        }
    }
}
