// The three members of etcd as the replicas reach them: who is down or cut off, what is slow, and what becomes of each
// request.

import SeededRandom
import Simulated

/// What becomes of one request to etcd.
package enum RequestFate: CaseIterable {
    case carriedOut
    /// Reaches no member.
    case lost
    /// Carried out up to six seconds later, when the client no longer waits.
    case late
    /// Carried out, and the answer does not come.
    case answerLost
    /// Carried out, and up to a second later once more.
    case twice
    /// Answered with 503; half of these are carried out.
    case leaderChanged
    /// Refused, as etcd has too many requests.
    case busy
    /// Twenty times slower.
    case slow
}

/// Confinement: one scheduler's thread, as are all types of this target.
final class SimulatedEtcd {
    let scheduler: Scheduler
    let model: EtcdModel
    let memberCount: Int
    /// Whether all faults are over.
    var isHealed = false
    private var random: SeededRandom

    private var down: Set<Int> = []
    private var cuts: Set<[Int]> = []
    private(set) var slowUntil: UInt64 = 0
    private(set) var watchesStallUntil: UInt64 = 0
    private var watches: [SimulatedConnection] = []
    var count: (String) -> Void = { _ in }

    init(_ scheduler: Scheduler, seed: UInt64, members: Int) {
        self.scheduler = scheduler
        memberCount = members
        model = EtcdModel(seed: seed, members: members)
        random = SeededRandom(seed: seed, for: "requests")
        if World.hasUsers(seed) {
            permit()
            model.enableAccess()
        }
    }

    // MARK: - Requests

    /// Draws what becomes of a request, always the same number of times.
    func fate() -> (fate: RequestFate, later: UInt64, way: UInt64, back: UInt64) {
        let roll = random.below(1_000)
        let (part, way, back) = (random.next(), random.next(), random.next())
        let slowness: UInt64 = scheduler.now < slowUntil ? 20 : 1
        let fate: RequestFate =
            switch roll {
            case _ where isHealed: .carriedOut
            case ..<3: .lost
            case ..<5: .late
            case ..<9: .answerLost
            case ..<12: .twice
            case ..<15: .leaderChanged
            case ..<16: .busy
            case ..<26: .slow
            default: .carriedOut
            }
        count("request \(fate)")
        let factor = fate == .slow ? slowness * 20 : slowness
        return (
            fate, part, (60_000 + way % 300_000) * factor, (60_000 + back % 300_000) * factor
        )
    }

    func carryOut(_ request: SimulatedRequest) -> EtcdModelAnswer {
        model.advance(to: scheduler.now)
        scheduler.trace.note(scheduler.now, "request", request.body)
        let answer = model.answer(
            request.method, request.path, request.headers, request.body, member: request.member)
        scheduler.trace.note(scheduler.now, "answer", answer.body)
        return answer
    }

    // MARK: - Members and cuts

    func isDown(_ member: Int) -> Bool { down.contains(member) }
    func isCut(_ replica: Int, _ member: Int) -> Bool { cuts.contains([replica, member]) }

    func beginElection() {
        if model.leader == nil { return }
        model.loseLeader()
        scheduler.changed()
    }

    func endElection(_ choice: Int) {
        guard model.leader == nil else { return }
        let up = (0..<memberCount).filter { !isDown($0) }
        model.advance(to: scheduler.now)
        model.elect(up[choice % up.count])
        scheduler.changed()
    }

    func endWatchesWithoutLeader() {
        guard model.leader == nil else { return }
        for member in 0..<memberCount { model.endWatchesWithoutLeader(at: member) }
    }

    /// One member at a time, so that a majority stays.
    func stopMember(_ member: Int) {
        guard down.isEmpty else { return }
        down.insert(member)
        model.forgetTokens(at: member)
        if model.leader == member { beginElection() }
        breakWatches { $0.member == member }
    }

    func startMembers() {
        down = []
        scheduler.changed()
    }

    func cut(_ replica: Int, from members: [Int]) {
        for member in members { cuts.insert([replica, member]) }
    }

    func heal(_ replica: Int, breaksWatches: Bool) {
        cuts = cuts.filter { $0[0] != replica }
        if breaksWatches { breakWatches { $0.replica == replica } }
        scheduler.changed()
    }

    func beSlow(until time: UInt64) { slowUntil = max(slowUntil, time) }

    // MARK: - Watches

    func add(_ watch: SimulatedConnection) { watches.append(watch) }
    func remove(_ watch: SimulatedConnection) { watches.removeAll { $0 === watch } }

    func breakWatches(where isBroken: (SimulatedConnection) -> Bool) {
        for watch in watches where isBroken(watch) { watch.isBroken = true }
        scheduler.changed()
    }

    func stallWatches(until time: UInt64) {
        watchesStallUntil = max(watchesStallUntil, time)
        scheduler.at(time) { [scheduler] in scheduler.changed() }
    }

    /// Ends the connections of a process that was killed.
    func drop(_ process: SimulatedProcess) {
        for watch in watches where watch.process === process { watch.end() }
        watches.removeAll { $0.process === process }
    }

    /// Restores the backup. Requests meet faults again. Returns how many revisions are lost.
    func restore(inOtherCluster: Bool) -> Int64 {
        isHealed = false
        let newest = model.revision
        model.restore(inOtherCluster: inOtherCluster)
        breakWatches { _ in true }
        return newest - model.revision
    }

    /// Ends the leases of all replicas.
    func endLeases() {
        model.advance(to: scheduler.now)
        model.endLeases()
        scheduler.changed()
    }

    // MARK: - Users

    static let user = "log"

    /// Lets the user read and write the keys of the log.
    func permit() {
        let keys = (Array("/traitd/1/".utf8), Array("/traitd/10".utf8))
        model.addUser(Self.user, password: "", keys: keys)
    }

    // MARK: - Space

    /// Lets the next change take the last room.
    func fill() {
        model.space.carriedOutPerMille = 300
        model.space.quota = model.space.fileBytes
    }

    func makeRoom() {
        model.space.quota = 2_147_483_648
        let body = #"{"action":"DEACTIVATE","memberID":"\#(model.memberIDs[0])","alarm":"NOSPACE"}"#
        _ = model.answer("POST", "/v3/maintenance/alarm", [], Array(body.utf8))
    }

    func compact() {
        let body = #"{"revision":"\#(model.revision)"}"#
        _ = model.answer("POST", "/v3/kv/compaction", [], Array(body.utf8))
    }

    /// Ends all faults.
    func heal() {
        isHealed = true
        startMembers()
        cuts = []
        slowUntil = 0
        watchesStallUntil = 0
        makeRoom()
        model.requestBytesMax = EtcdModel.requestBytesDefault
        permit()
        endElection(0)
        breakWatches { _ in true }
    }
}

struct SimulatedRequest {
    let method: String
    let path: String
    let headers: [String]
    let body: [UInt8]
    let member: Int
}
