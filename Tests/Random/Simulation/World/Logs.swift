// The logs of replicas: most worlds have `EtcdLog` over the model of etcd. Others have a log in memory that tells what
// others appended late, twice, in another order or not at all, which `EtcdLog` never does.

import Background
import EtcdLog
import SeededRandom
import SessionLog
import SessionLogTestSupport
import Simulated

extension World {
    /// One world of so many has a log in memory.
    static let memoryWorlds: UInt64 = 7

    /// Whether etcd asks for tokens.
    static func hasUsers(_ seed: UInt64) -> Bool { seed % 2 == 0 }

    /// Whether replicas now and then start as an older version, which does not read temporary values.
    static func hasOlder(_ seed: UInt64) -> Bool { seed % memoryWorlds == 5 }

    /// Whether only faults happen that decide whether leases end. They last three times as long.
    static func isOfLeases(_ seed: UInt64) -> Bool { seed % memoryWorlds == 2 }
    var isOfLeases: Bool { Self.isOfLeases(options.seed) }

    /// Of a thread of the replica's process.
    func openLog(of replica: RunningReplica) throws -> any SessionLog {
        if let disk { return try openLog(on: disk) }
        guard let memory else {
            var logOptions = logOptions(of: replica.number)
            if Self.hasOlder(options.seed), isBusy, scheduler.random() % 2 == 0 {
                logOptions.versions?.format = 1
                tally.add("older starts")
            }
            return try EtcdLog(logOptions)
        }
        let seed = scheduler.random()
        let hostile = HostileLog(memory, seed: seed)
        scheduler.start("news", in: replica.process) {
            var random = SeededRandom(seed: seed &+ 1)
            while true {
                Uptime.pause(.microseconds(200 + random.below(40_000)))
                hostile.tellSome()
            }
        }
        return RemoteLog(hostile, self)
    }
}

/// A log in memory to which requests take their time, and whose answers may be lost.
private final class RemoteLog: LogWrapper, @unchecked Sendable {
    let base: any SessionLog
    private let world: World

    init(_ base: any SessionLog, _ world: World) {
        self.base = base
        self.world = world
    }

    func append(_ batch: [LogAppend]) -> [AppendResult] {
        let (_, part, way, back) = world.etcd.fate()
        Uptime.pause(.nanoseconds(Int64(way)))
        if !world.etcd.isHealed, part % 200 == 0 {
            return batch.map { _ in .unknown(reason: "the request is lost") }
        }
        if !world.etcd.isHealed, part % 200 == 2 {
            return batch.map { _ in .refused(reason: "the log refuses") }
        }
        let results = base.append(batch)
        Uptime.pause(.nanoseconds(Int64(back)))
        if !world.etcd.isHealed, part % 200 == 1 {
            return batch.map { _ in .unknown(reason: "the answer is lost") }
        }
        return results
    }

    func confirm(
        _ question: LogQuestion, then: @escaping @Sendable (Result<LogHeads, LogFailure>) -> Void
    ) {
        let (_, _, way, _) = world.etcd.fate()
        guard let machine = Machines.simulated else { return base.confirm(question, then: then) }
        machine.start { [base] in
            Uptime.pause(.nanoseconds(Int64(way)))
            base.confirm(question, then: then)
        }
    }
}

/// Counts how appends end, and looks for entries that an older version does not read.
final class CountedLog: LogWrapper, @unchecked Sendable {
    let base: any SessionLog
    private let world: World
    /// The newest revision of etcd when the process began.
    private let began: Int64

    init(_ base: any SessionLog, _ world: World, since began: Int64) {
        self.base = base
        self.world = world
        self.began = began
    }

    /// A process knows of those that were there before it.
    private func checkReaders(of batch: [LogAppend]) {
        let others = world.etcd.model.values(ofKeysWith: "/traitd/1/replica/", since: began)
        guard others.contains(where: { $0.starts(with: "format=1 ".utf8) }) else { return }
        for entry in batch.lazy.flatMap(\.entries)
        where String(decoding: entry.payload, as: UTF8.self).contains("\"expiresAt\"") {
            world.found("an older replica does not read revision \(entry.revision)")
        }
        world.tally.add("append beside an older replica")
    }

    func append(_ batch: [LogAppend]) -> [AppendResult] {
        if World.hasOlder(world.options.seed), !world.isRestored { checkReaders(of: batch) }
        let results = base.append(batch)
        for result in results {
            let name =
                switch result {
                case .appended: "appended"
                case .conflict: "conflict"
                case .leaseRenewed: "leaseRenewed"
                case .refused: "refused"
                case .full: "full"
                case .denied: "denied"
                case .unavailable: "unavailable"
                case .unknown: "unknown"
                }
            world.tally.add("append \(name)")
        }
        return results
    }
}
