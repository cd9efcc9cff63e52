// The model of etcd as a member in the process of the tests, and the way to it, on which requests and answers are lost. The
// log asks it as it asks etcd, without sockets and processes; `CompareEtcd` holds the model to etcd.

import EtcdLog
import Foundation
import Simulated
import Synchronization

/// A member, which any thread may ask. Each test has a prefix of its own.
final class ModelMember: @unchecked Sendable {
    static let shared = ModelMember()

    private let model: EtcdModel
    fileprivate let condition = NSCondition()

    /// - Parameter quota: the most bytes of its database; nil for etcd's default.
    init(quota: Int64? = nil) {
        model = EtcdModel(seed: .random(in: .min ... .max))
        if let quota { model.space.quota = quota }
    }

    /// Options for a log that is empty.
    func options() -> EtcdLogOptions { ModelNetwork(self).options() }

    func setQuota(_ bytes: Int64) { withModel { $0.space.quota = bytes } }

    fileprivate func withModel<R, E: Error>(_ body: (EtcdModel) throws(E) -> R) throws(E) -> R {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        model.advance(to: DispatchTime.now().uptimeNanoseconds)
        return try body(model)
    }
}

/// The way to a member at `http://model`, and to one of another cluster at `http://stranger`.
final class ModelNetwork: EtcdNetwork, @unchecked Sendable {
    enum Fault: Sendable {
        /// The member carries the request out, and its answer is lost.
        case dropAnswer
        /// The member gets the request twice, and the log the second answer.
        case duplicate
    }

    fileprivate let member: ModelMember
    /// Whether watches get no answer, as from a member that was cut off from the others.
    fileprivate let hidesWatches: Bool
    private let stranger: ModelMember?
    private var isStopped = false
    private var refusedCount = 0
    private var faults: [Fault] = []

    init(_ member: ModelMember, hidesWatches: Bool = false, stranger: ModelMember? = nil) {
        self.member = member
        self.stranger = stranger
        self.hidesWatches = hidesWatches
    }

    func options() -> EtcdLogOptions {
        var options = EtcdLogOptions(endpoints: ["http://model"])
        options.prefix = "/test/\(UUID().uuidString)"
        options.isMember = false
        options.network = self
        return options
    }

    func connect() throws(EtcdFailure) -> any EtcdConnection { ModelConnection(self) }

    fileprivate var members: [ModelMember] { [member] + (stranger.map { [$0] } ?? []) }

    fileprivate func member(of url: String) -> ModelMember {
        url.hasPrefix("http://stranger") ? stranger ?? member : member
    }

    /// From now on no request reaches the member, and watches end.
    func stop() { member.withModel { _ in isStopped = true } }

    func resume() { member.withModel { _ in isStopped = false } }

    /// The next transactions meet these faults, one each.
    func add(_ faults: [Fault]) { member.withModel { _ in self.faults += faults } }

    /// Whether every fault has happened.
    var isDone: Bool { member.withModel { _ in faults.isEmpty } }

    /// Requests that came while it was stopped.
    var refusals: Int { member.withModel { _ in refusedCount } }

    // With the lock of the member that is asked.

    fileprivate func check(_ asked: ModelMember) throws(EtcdFailure) {
        guard asked === member, isStopped else { return }
        refusedCount += 1
        throw EtcdFailure(.notSent, "connection refused")
    }

    fileprivate func nextFault(of path: Substring) -> Fault? {
        path == "/v3/kv/txn" && !faults.isEmpty ? faults.removeFirst() : nil
    }
}

/// Carries one request at a time.
private final class ModelConnection: EtcdConnection, @unchecked Sendable {
    private let network: ModelNetwork
    /// The member that is asked.
    private var member: ModelMember
    private let isCancelled = Atomic(false)

    init(_ network: ModelNetwork) {
        self.network = network
        member = network.member
    }

    func cancel() {
        isCancelled.store(true, ordering: .sequentiallyConsistent)
        for member in network.members { member.withModel { _ in } }
    }

    func post(
        _ request: EtcdTransfer, take: @escaping (UnsafeRawBufferPointer) -> Bool
    ) throws(EtcdFailure) -> Int {
        member = network.member(of: request.url)
        let path = request.url.dropFirst("http://".utf8.count).drop { $0 != "/" }
        if path == "/v3/watch" { return try follow(request, take) }
        let answer = try member.withModel { model throws(EtcdFailure) in
            try checkConnection()
            let fault = network.nextFault(of: path)
            func carryOut() -> EtcdModelAnswer {
                model.answer(
                    request.body == nil ? "GET" : "POST", String(path), request.headers,
                    request.body ?? [])
            }
            if fault == .duplicate { _ = carryOut() }
            let answer = carryOut()
            if fault == .dropAnswer { throw EtcdFailure(.unanswered, "connection reset") }
            return answer
        }
        guard answer.body.withUnsafeBytes(take) else { throw EtcdFailure(.unanswered, "not taken") }
        return answer.status
    }

    private func checkConnection() throws(EtcdFailure) {
        if isCancelled.load(ordering: .sequentiallyConsistent) {
            throw EtcdFailure(.closed, "the request was cancelled")
        }
        try network.check(member)
    }

    /// A watch, until it is cancelled or the way to the member ends.
    private func follow(
        _ request: EtcdTransfer, _ take: (UnsafeRawBufferPointer) -> Bool
    ) throws(EtcdFailure) -> Int {
        var lines: [[UInt8]] = []
        var watch: EtcdWatch?
        do throws(EtcdWatchRefusal) {
            watch = try member.withModel { model throws(EtcdWatchRefusal) in
                try model.watch(request.headers, request.body ?? []) { lines.append($0) }
            }
        } catch {
            _ = error.answer.body.withUnsafeBytes(take)
            return error.answer.status
        }
        defer { if let watch { member.withModel { $0.cancel(watch) } } }
        while true {
            let news = try next(&lines)
            for line in news {
                guard line.withUnsafeBytes(take) else {
                    throw EtcdFailure(.unanswered, "not taken")
                }
            }
            if watch == nil { throw EtcdFailure(.unanswered, "the watch has ended") }
        }
    }

    private func next(_ lines: inout [[UInt8]]) throws(EtcdFailure) -> [[UInt8]] {
        member.condition.lock()
        defer { member.condition.unlock() }
        while true {
            try checkConnection()
            if !lines.isEmpty, !network.hidesWatches {
                defer { lines = [] }
                return lines
            }
            member.condition.wait()
        }
    }
}
