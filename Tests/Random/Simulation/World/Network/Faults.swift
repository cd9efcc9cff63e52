// Faults of etcd and of processes: one of all every 0.1 to 1 s of virtual time. Each draws from numbers of its own, so
// that one left out does not shift the others.

import SeededRandom
import Simulated

package enum FaultKind: CaseIterable {
    case kill
    case end
    case stop
    case stall
    case clock
    case clockJump
    case election
    case memberDown
    case cut
    case noSpace
    case smallRequests
    case compaction
    case brokenWatches
    case stalledWatches
    case slow
    case tokens
    case permission
    case leases
    case powerCut
    case failingFlush
    case failingWrite
    case failingRead
    case fullDisk

    static let ofProcesses: [FaultKind] = [.kill, .end, .stop, .stall, .clock, .clockJump]
    static let failuresOfDisk: [FaultKind] = [
        .failingFlush, .failingWrite, .failingRead, .fullDisk,
    ]
    /// Those of worlds whose replicas share a log.
    static let shared = allCases.filter { $0 != .powerCut && !failuresOfDisk.contains($0) }
    /// Those that decide whether leases end.
    static let ofLeases: [FaultKind] = [
        .kill, .stop, .cut, .cut, .noSpace, .leases, .leases, .leases,
    ]
    static let withoutUsers = shared.filter { $0 != .tokens && $0 != .permission }
}

package struct Fault {
    package let number: Int
    package let kind: FaultKind
    /// Nanoseconds after the first client has begun.
    package let time: UInt64

    /// The faults of a seed, in order.
    package static func all(seed: UInt64, within time: UInt64) -> [Fault] {
        if World.hasDisk(seed) { return ofDisk(seed: seed, within: time) }
        var kinds = World.hasUsers(seed) ? FaultKind.shared : FaultKind.withoutUsers
        if World.isOfLeases(seed) { kinds = FaultKind.ofLeases }
        var random = SeededRandom(seed: seed, for: "faults")
        var faults: [Fault] = []
        var at: UInt64 = 0
        while true {
            at += 100_000_000 + random.next() % 900_000_000
            let kind = random.pick(kinds) ?? .kill
            if at >= time { return faults }
            faults.append(Fault(number: faults.count, kind: kind, time: at))
        }
    }
}

extension World {
    /// Outside of all threads.
    func begin(_ fault: Fault) {
        guard !etcd.isHealed else { return }
        var random = SeededRandom(seed: options.seed, for: "fault \(fault.number)")
        let replica = replicas[random.below(replicas.count)]
        let member = random.below(etcd.memberCount)
        let part = random.next()
        func time(_ least: UInt64, _ most: UInt64) -> UInt64 {
            (least + part % (most - least)) * 1_000_000 * (isOfLeases ? 3 : 1)
        }
        let isEffective = carryOut(fault, replica, member, part, time, &random)
        scheduler.trace.note(scheduler.now, "fault \(fault.number) \(fault.kind)", part)
        if isEffective, memory == nil { tally.add("fault \(fault.kind)") }
    }

    /// Returns whether the fault has changed anything.
    private func carryOut(
        _ fault: Fault, _ replica: Replica, _ member: Int, _ part: UInt64,
        _ time: (UInt64, UInt64) -> UInt64, _ random: inout SeededRandom
    ) -> Bool {
        switch fault.kind {
        case .kill:
            replica.kill()
            later(time(10, 1_500)) { replica.start() }
        case .end:
            guard memory == nil, let running = replica.running, running.isReady else {
                return false
            }
            running.close()
            later(1_000_000_000) {
                if replica.running === running { replica.kill() }
                replica.start()
            }
        case .stop:
            guard let process = replica.running?.process, !process.isStopped else { return false }
            scheduler.stop(process)
            later(time(20, 2_000)) { [scheduler] in
                if !process.isKilled { scheduler.resume(process) }
            }
        case .stall:
            guard let process = replica.running?.process else { return false }
            scheduler.stallThird(of: process, &random)
            later(time(20, 1_000)) { [scheduler] in
                if !process.isKilled { scheduler.endStall(of: process) }
            }
        case .clock:
            guard let process = replica.running?.process else { return false }
            set(process, ahead: process.wallAhead + Int64(part % 400_000_000) - 200_000_000)
        case .clockJump:
            guard let process = replica.running?.process else { return false }
            let jump = Int64(time(1_000, 20_000))
            set(process, ahead: process.wallAhead + (random.chance(50) ? jump : -jump))
        case .election:
            etcd.beginElection()
            later(time(50, 2_000)) { [etcd] in etcd.endElection(member) }
            later(1_000_000_000) { [etcd] in etcd.endWatchesWithoutLeader() }
        case .memberDown:
            etcd.stopMember(member)
            later(time(50, 1_000)) { [etcd] in etcd.endElection(member) }
            later(time(300, 3_000)) { [etcd] in etcd.startMembers() }
        case .cut:
            let members = (0..<etcd.memberCount).filter {
                $0 == member || isOfLeases || random.chance(40)
            }
            etcd.cut(replica.number, from: members)
            let breaks = random.chance(50)
            later(time(100, 4_000)) { [etcd] in
                etcd.heal(replica.number, breaksWatches: breaks)
            }
        case .noSpace:
            etcd.fill()
            later(time(100, 2_000)) { [etcd] in etcd.makeRoom() }
        case .smallRequests:
            // Members were started with a smaller `--max-request-bytes`.
            etcd.model.requestBytesMax = 400 + Int(part % 1_600)
            later(time(100, 2_000)) { [etcd] in
                etcd.model.requestBytesMax = EtcdModel.requestBytesDefault
            }
        case .compaction: etcd.compact()
        case .brokenWatches: etcd.breakWatches { random.chance(60) || $0.replica == replica.number }
        case .stalledWatches: etcd.stallWatches(until: scheduler.now + time(50, 1_500))
        case .slow: etcd.beSlow(until: scheduler.now + time(100, 2_000))
        case .tokens: etcd.model.forgetTokens(at: member)
        case .permission:
            etcd.model.revokePermissions(of: SimulatedEtcd.user)
            later(time(100, 2_000)) { [etcd] in etcd.permit() }
        case .leases: etcd.endLeases()
        case .powerCut, .failingFlush, .failingWrite, .failingRead, .fullDisk:
            plan(fault.kind, part, time(100, 3_000))
            // It counts when a call fails.
            return false
        }
        return true
    }

    private func set(_ process: SimulatedProcess, ahead: Int64) {
        process.wallAhead = ahead
        clocksAhead = min(clocksAhead.lowerBound, ahead)...max(clocksAhead.upperBound, ahead)
    }

    private func later(_ time: UInt64, _ body: @escaping () -> Void) {
        scheduler.at(scheduler.now + time) { [etcd] in if !etcd.isHealed { body() } }
    }
}
