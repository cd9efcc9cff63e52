// A proxy between the log and a member of etcd that loses, delays and repeats what it should pass on.

import Foundation
import Synchronization
import TestSupport

/// Each connection has two threads: one for requests, one for answers.
final class FaultProxy: Sendable {
    enum Fault: CaseIterable, Sendable {
        /// The member never sees the request.
        case dropRequest
        /// The member carries the request out, and its answer is lost.
        case dropAnswer
        /// The member gets the request when the log has given up.
        case delay
        /// The member gets the request twice, and the log the second answer.
        case duplicate
        /// The answer ends after some bytes.
        case cutAnswer
        /// The member gets a part of the request.
        case cutRequest
        /// The member carries the request out, and answers that its database is full, as it does when the request
        /// itself takes the last room.
        case answerFull
    }

    private static let cutBytes = 40
    private static let full: [UInt8] = {
        let body = #"{"error":"etcdserver: mvcc: database space exceeded","code":8}"#
        let head = "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\n"
        return Array("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }()

    private struct State {
        var faults: [Fault] = []
        var isStopped = false
        var lateRequests = 0
        var refusals = 0
        var sockets: [Int32] = []
    }

    let port: UInt16
    /// Whether watches get no answer, as from a member that was cut off from the others.
    private let hidesWatches: Bool
    private let member: UInt16
    private let state = Mutex(State())
    private let listener: Int32

    init(_ member: UInt16, hidesWatches: Bool = false) throws {
        self.member = member
        self.hidesWatches = hidesWatches
        (listener, port) = try Loopback.listen()
        Thread.detachNewThread { [self] in
            while case let client = accept(listener, nil, nil), client >= 0 { serve(client) }
            // Only this thread closes the listener: it must not accept connections of another proxy whose listener
            // has the same number.
            close(listener)
        }
    }

    var url: String { "http://127.0.0.1:\(port)" }

    /// The next transactions meet these faults, one each.
    func add(_ faults: [Fault]) { state.withLock { $0.faults += faults } }

    /// Whether every fault has happened.
    var isDone: Bool { state.withLock { $0.faults.isEmpty } }

    /// Requests that reached the member after a delay.
    var lateRequests: Int { state.withLock { $0.lateRequests } }

    /// Ends all connections and, while it is stopped, each new one.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Connections that came while it was stopped.
    var refusals: Int { state.withLock { $0.refusals } }

    func resume() { state.withLock { $0.isStopped = false } }

    func end() {
        stop()
        shutdown(listener, Int32(SHUT_RDWR))
    }

    // MARK: - Connections

    /// What a connection does with its answers.
    private final class Answers: Sendable {
        let bytesLeft = Mutex(Int.max)
    }

    private func serve(_ client: Int32) {
        let upstream = Loopback.connect(member)
        let isRefused = state.withLock { state in
            if state.isStopped { state.refusals += 1 } else { state.sockets += [client, upstream] }
            return state.isStopped
        }
        if isRefused || upstream < 0 {
            close(client)
            if upstream >= 0 { close(upstream) }
            return
        }
        let answers = Answers()
        let pending = Atomic(2)
        let done: @Sendable () -> Void = { [self] in
            shutdown(client, Int32(SHUT_RDWR))
            guard pending.subtract(1, ordering: .relaxed).newValue == 0 else { return }
            state.withLock { state in
                state.sockets.removeAll { $0 == client || $0 == upstream }
                close(client)
                close(upstream)
            }
        }
        Thread.detachNewThread { [self] in
            passRequests(client, upstream, answers)
            // The member still answers a request that came late.
            shutdown(upstream, Int32(SHUT_RDWR))
            done()
        }
        Thread.detachNewThread {
            Self.passAnswers(upstream, client, answers)
            done()
        }
    }

    private func passRequests(_ client: Int32, _ upstream: Int32, _ answers: Answers) {
        var rest: [UInt8] = []
        while let request = Loopback.request(client, &rest) {
            let line = String(decoding: request.prefix(20), as: UTF8.self)
            let isTransaction = line.hasPrefix("POST /v3/kv/txn")
            if hidesWatches, line.hasPrefix("POST /v3/watch") { continue }
            let fault = state.withLock { state in
                isTransaction && !state.faults.isEmpty ? state.faults.removeFirst() : nil
            }
            switch fault {
            case nil: break
            case .dropRequest: return
            case .dropAnswer: answers.bytesLeft.withLock { $0 = 0 }
            case .cutAnswer: answers.bytesLeft.withLock { $0 = Self.cutBytes }
            case .cutRequest:
                _ = Loopback.send(Array(request.dropLast(request.count / 3)), to: upstream)
                return
            case .delay:
                // Until the log closes the connection.
                var byte: UInt8 = 0
                while recv(client, &byte, 1, 0) > 0 {}
                _ = repeated(request)
                state.withLock { $0.lateRequests += 1 }
                return
            case .duplicate:
                guard repeated(request) else { return }
            case .answerFull:
                guard repeated(request), Loopback.send(Self.full, to: client) else { return }
                continue
            }
            guard Loopback.send(request, to: upstream) else { return }
        }
    }

    /// Sends a request on a connection of its own and waits for its answer.
    private func repeated(_ request: [UInt8]) -> Bool {
        let upstream = Loopback.connect(member)
        defer { close(upstream) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        return Loopback.send(request, to: upstream) && recv(upstream, &buffer, buffer.count, 0) > 0
    }

    private static func passAnswers(_ upstream: Int32, _ client: Int32, _ answers: Answers) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(upstream, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            let passed = answers.bytesLeft.withLock { left in
                let passed = min(left, count)
                left -= left == .max ? 0 : passed
                return passed
            }
            guard Loopback.send(Array(buffer[..<passed]), to: client), passed == count else {
                return
            }
        }
    }
}
