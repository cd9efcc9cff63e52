// The transport of `EtcdLog` over the model of etcd: as libcurl, it blocks the thread that asks, here a fiber.

import Background
import EtcdLog
import Simulated

final class SimulatedNetwork: EtcdNetwork, @unchecked Sendable {
    private let etcd: SimulatedEtcd
    private let replica: Int

    init(_ etcd: SimulatedEtcd, replica: Int) {
        self.etcd = etcd
        self.replica = replica
    }

    func connect() throws(EtcdFailure) -> any EtcdConnection {
        guard let process = etcd.scheduler.process else {
            throw EtcdFailure(.notSent, "no process runs")
        }
        return SimulatedConnection(etcd, replica, process)
    }
}

final class SimulatedConnection: EtcdConnection, @unchecked Sendable {
    let replica: Int
    let process: SimulatedProcess
    private(set) var member = 0
    /// Whether the watch under way ends without a word.
    var isBroken = false
    private let etcd: SimulatedEtcd
    private var scheduler: Scheduler { etcd.scheduler }
    private var isCancelled = false
    /// The members to which a connection is kept.
    private var connected: Set<Int> = []
    private var watch: EtcdWatch?
    /// The lines of the watch that have not been taken.
    private var lines: [[UInt8]] = []

    init(_ etcd: SimulatedEtcd, _ replica: Int, _ process: SimulatedProcess) {
        self.etcd = etcd
        self.replica = replica
        self.process = process
    }

    func cancel() {
        isCancelled = true
        scheduler.changed()
    }

    /// Ends the watch at its member.
    func end() {
        if let watch { etcd.model.cancel(watch) }
        watch = nil
    }

    func post(
        _ request: EtcdTransfer, take: @escaping (UnsafeRawBufferPointer) -> Bool
    ) throws(EtcdFailure) -> Int {
        do throws(EtcdFailure) {
            if isCancelled { throw Self.cancelled }
            let deadline = request.timeout.map { Uptime.monotonic(after: $0) } ?? .max
            let wanted = try parsed(request)
            member = wanted.member
            try connect(until: deadline)
            let answer =
                wanted.path == "/v3/watch"
                ? try follow(wanted, until: deadline, take)
                : try ask(wanted, until: deadline)
            guard answer.body.withUnsafeBytes(take) else { throw Self.unanswered("not taken") }
            if answer.status != 200 { countFailure(answer) }
            return answer.status
        } catch {
            connected.remove(member)
            etcd.count("failure \(error.kind)")
            throw error
        }
    }

    private func countFailure(_ answer: EtcdModelAnswer) {
        let failure = EtcdFailure(status: answer.status, answer: answer.body)
        etcd.count("failure \(failure.kind)")
    }

    /// libcurl's time for a connection, in nanoseconds.
    private static let connectMax: UInt64 = 300_000_000
    private static let cancelled = EtcdFailure(.closed, "the request was cancelled")

    private static func unanswered(_ reason: String) -> EtcdFailure {
        EtcdFailure(.unanswered, reason)
    }

    /// The member and the path of a URL such as `http://etcd-1/v3/kv/txn`.
    private func parsed(_ request: EtcdTransfer) throws(EtcdFailure) -> SimulatedRequest {
        let rest = request.url.dropFirst("http://etcd-".utf8.count)
        guard let slash = rest.firstIndex(of: "/"), let member = Int(rest[..<slash]) else {
            throw EtcdFailure(.notSent, "no member has the address \(request.url)")
        }
        return SimulatedRequest(
            method: request.body == nil ? "GET" : "POST", path: String(rest[slash...]),
            headers: request.headers, body: request.body ?? [], member: member)
    }

    // MARK: - Time

    /// Waits for a time in nanoseconds, as it takes on the way.
    private func travel(_ time: UInt64, until deadline: UInt64) throws(EtcdFailure) {
        let end = scheduler.nanoseconds &+ time
        if scheduler.wait(until: min(end, deadline), { isCancelled }) { throw Self.cancelled }
        if deadline < end { throw Self.unanswered("the time is over") }
    }

    private func waitInVain(until deadline: UInt64) throws(EtcdFailure) -> Never {
        _ = scheduler.wait(until: deadline) { isCancelled }
        throw isCancelled ? Self.cancelled : Self.unanswered("the time is over")
    }

    private func connect(until deadline: UInt64) throws(EtcdFailure) {
        if etcd.isDown(member) {
            try travel(100_000, until: deadline)
            throw EtcdFailure(.notSent, "connection refused")
        }
        if !etcd.isCut(replica, member) {
            connected.insert(member)
        } else if connected.contains(member) {
            try waitInVain(until: deadline)
        } else {
            try travel(Self.connectMax, until: deadline)
            throw EtcdFailure(.notSent, "no connection is made in time")
        }
    }

    // MARK: - Requests

    private func ask(
        _ request: SimulatedRequest, until deadline: UInt64
    ) throws(EtcdFailure) -> EtcdModelAnswer {
        let (fate, part, way, back) = etcd.fate()
        if fate == .lost { try waitInVain(until: deadline) }
        if fate == .late {
            carryOutLater(request, after: part % 6_000_000_000)
            try waitInVain(until: deadline)
        }
        try travel(way, until: deadline)
        if fate == .leaderChanged {
            if part & 1 == 0 { _ = etcd.carryOut(request) }
            return Self.refusal("etcdserver: leader changed")
        }
        if fate == .busy { return Self.refusal("etcdserver: too many requests", 429, code: 8) }
        if request.method == "POST", let refusal = try awaitLeader(request, part, until: deadline) {
            return refusal
        }
        // It may have gone down, or been cut off, meanwhile.
        if etcd.isDown(member) { throw Self.unanswered("connection reset") }
        if etcd.isCut(replica, member) { try waitInVain(until: deadline) }
        let answer = etcd.carryOut(request)
        // What was refused is not carried out later: one connection does not deliver a request twice of which the answer
        // has arrived, and the answer arrives.
        if fate == .twice, answer.status == 200 {
            carryOutLater(request, after: part % 1_000_000_000)
        }
        if fate == .answerLost { try waitInVain(until: deadline) }
        try travel(back, until: deadline)
        if etcd.isCut(replica, member) { try waitInVain(until: deadline) }
        return answer
    }

    private func carryOutLater(_ request: SimulatedRequest, after time: UInt64) {
        scheduler.at(scheduler.now + time) { [etcd] in
            guard etcd.model.leader != nil else { return }
            _ = etcd.carryOut(request)
        }
    }

    /// etcd keeps a request for seven seconds when no member leads. What its caller has given up may be carried out.
    private func awaitLeader(
        _ request: SimulatedRequest, _ part: UInt64, until deadline: UInt64
    ) throws(EtcdFailure) -> EtcdModelAnswer? {
        if etcd.model.leader != nil { return nil }
        let patience = scheduler.nanoseconds + 7_000_000_000
        let hasLeader = scheduler.wait(until: min(patience, deadline)) {
            isCancelled || etcd.model.leader != nil
        }
        if isCancelled { throw Self.cancelled }
        if hasLeader { return nil }
        if part & 1 == 0 { carryOutLater(request, after: part % 3_000_000_000) }
        if deadline <= patience { throw Self.unanswered("the time is over") }
        return Self.refusal("etcdserver: request timed out")
    }

    private static func refusal(
        _ message: String, _ status: Int = 503, code: Int = 14
    ) -> EtcdModelAnswer {
        let body = #"{"error":"\#(message)","message":"\#(message)","code":\#(code)}"#
        return EtcdModelAnswer(status: status, body: Array(body.utf8))
    }

    // MARK: - Watches

    private func follow(
        _ request: SimulatedRequest, until deadline: UInt64,
        _ take: (UnsafeRawBufferPointer) -> Bool
    ) throws(EtcdFailure) -> EtcdModelAnswer {
        let (_, _, way, _) = etcd.fate()
        try travel(way, until: deadline)
        if etcd.isDown(member) { throw Self.unanswered("connection reset") }
        etcd.model.advance(to: scheduler.now)
        do throws(EtcdWatchRefusal) {
            watch = try etcd.model.watch(request.headers, request.body, member: member) {
                [unowned self] line in
                lines.append(line)
                scheduler.changed()
            }
        } catch {
            return error.answer
        }
        let isOver = watch == nil
        isBroken = false
        etcd.add(self)
        defer {
            etcd.remove(self)
            end()
        }
        while true {
            _ = scheduler.wait(until: deadline) { isCancelled || isBroken || hasNews }
            if isCancelled { throw Self.cancelled }
            if isBroken { throw Self.unanswered("connection reset") }
            if !hasNews { throw Self.unanswered("the time is over") }
            try travel(etcd.fate().way, until: deadline)
            let news = lines
            lines = []
            for line in news {
                scheduler.trace.note(scheduler.now, "watched", line)
                guard line.withUnsafeBytes(take) else { throw Self.unanswered("not taken") }
            }
            if isOver { throw Self.unanswered("the watch has ended") }
        }
    }

    private var hasNews: Bool {
        !lines.isEmpty && scheduler.now >= etcd.watchesStallUntil && !etcd.isCut(replica, member)
    }
}
