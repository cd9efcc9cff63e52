// Requests to etcd, and their repetition. Every request of this log may be sent again: reads and deletions
// change nothing the second time, and a transaction compares first. So a failed try goes to the next
// member with more time, until one answers.

import Background
import Glibc
import SessionLog
import Synchronization

/// Used by any number of threads; each request has a connection of its own, which is kept for later.
final class EtcdClient: Sendable {
    private struct State {
        var endpoints: Endpoints
        var idle: [any EtcdConnection] = []
        /// In the order of their requests.
        var busy: [Int: any EtcdConnection] = [:]
        var requests = 0
        var token: String?
        /// The cluster that the log is in; empty until it is known.
        var clusterID = ""
        /// When a member answered last.
        var answeredAt = Uptime.now
        /// The newest revision of etcd that an answer has told.
        var newest: Int64 = 0
        var deniedCount: UInt64 = 0
        /// Why nothing is sent any more; nil while the log works.
        var closedReason: String?
        /// Whether etcd is not the one any more that this process has read.
        var isReplaced = false
        /// The endpoints that answered last as members of another cluster, and since when there are some.
        var foreign: Set<String> = []
        var foreignSince: Uptime?
    }

    let options: EtcdLogOptions
    private let state: Mutex<State>

    private static let linearizable: Set = [
        "/v3/kv/range", "/v3/kv/txn", "/v3/kv/put", "/v3/kv/deleterange",
    ]
    private static let idleMax = 8
    /// The longest time for one try.
    private static let tryMax = Duration.seconds(30)
    /// The longest answer, in bytes.
    private static let answerBytesMax = 536_870_911

    init(_ options: EtcdLogOptions) {
        self.options = options
        state = Mutex(State(endpoints: Endpoints(options.endpoints)))
    }

    /// Ends all requests; every later one fails with `closed`.
    func close(_ reason: String = "the log is closed") {
        let busy = state.withLock { state in
            state.closedReason = state.closedReason ?? reason
            state.idle = []
            return Array(state.busy.values)
        }
        for connection in busy { connection.cancel() }
    }

    /// From now on members of other clusters are not believed.
    func expect(clusterID: String) { state.withLock { $0.clusterID = clusterID } }

    /// - Throws: `notSent` when the answer is from a member of another cluster, where this log is not.
    func check(clusterID: String, of endpoint: String) throws(EtcdFailure) {
        let (isForeign, isReplaced) = state.withLock { state in
            if clusterID.isEmpty || state.clusterID.isEmpty { return (false, false) }
            if clusterID == state.clusterID {
                state.foreign = []
                state.foreignSince = nil
                return (false, false)
            }
            state.foreign.insert(endpoint)
            let since = state.foreignSince ?? .now
            state.foreignSince = since
            return (
                true,
                state.foreign.isSuperset(of: state.endpoints.all)
                    && since.duration(to: .now) >= options.deadline
            )
        }
        if isReplaced { throw closeAsReplaced(Self.replaced) }
        if isForeign {
            throw EtcdFailure(.notSent, "\(endpoint) belongs to another cluster of etcd")
        }
    }

    /// The time since a member answered last.
    var silence: Duration { state.withLock { $0.answeredAt }.duration(to: .now) }

    /// Requests that etcd has not permitted.
    var deniedCount: UInt64 { state.withLock { $0.deniedCount } }

    /// Why nothing is sent any more; nil while the log works.
    var closedReason: String? { state.withLock { $0.closedReason } }

    /// Whether the log is closed because etcd is not the one any more that this process has read.
    var isReplaced: Bool { state.withLock { $0.isReplaced } }

    static let replaced =
        "etcd was restored or replaced: the log was made in another cluster. \(advice)"
    private static let advice = "Stop all servers and run 'traitd log adopt'"

    /// Closes the log because a backup of etcd was restored: what was appended since is gone, and this process
    /// has shown it already.
    func closeAsRestored() -> EtcdFailure {
        closeAsReplaced(
            "a backup of etcd was restored that does not have all that this process has read. "
                + Self.advice)
    }

    private func closeAsReplaced(_ reason: String) -> EtcdFailure {
        state.withLock { $0.isReplaced = true }
        close(reason)
        return EtcdFailure(.closed, reason)
    }

    /// Notices that etcd's revision has gone back.
    ///
    /// - Parameter floor: the newest revision that was known when the request was sent.
    private func note(_ revision: Int64, atLeast floor: Int64) throws(EtcdFailure) {
        if revision >= floor || revision == 0 {
            return state.withLock { $0.newest = max($0.newest, revision) }
        }
        throw closeAsRestored()
    }

    // MARK: - Requests

    /// Sends a request until a member answers it.
    ///
    /// - Parameters:
    ///   - deadline: how long it is tried; nil for ever.
    ///   - firstTry: how long the first try may take.
    /// - Throws: `closed`, a refusal, or at the deadline the last failure. Without a deadline, a refusal after a try
    ///   that had no answer is thrown only when that try is over.
    func call(
        _ path: String, _ body: [UInt8], deadline: Duration?, firstTry: Duration? = nil
    ) throws(EtcdFailure) -> EtcdAnswer {
        let start = Uptime.now
        var timeout = firstTry ?? options.firstTry
        var lastUnanswered: Uptime?
        var told: EtcdFailure?
        var pause = Duration.milliseconds(10)
        while true {
            guard let endpoint = state.withLock({ $0.endpoints.now }) else {
                throw EtcdFailure(.refused, "no endpoint of etcd is given")
            }
            let left = deadline.map { max(.milliseconds(1), $0 - start.duration(to: .now)) }
            do throws(EtcdFailure) {
                return try send(path, body, to: endpoint, min(timeout, left ?? timeout))
            } catch {
                if error.kind == .denied { state.withLock { $0.deniedCount += 1 } }
                let isOver = deadline.map { start.duration(to: .now) >= $0 } ?? false
                // The last try may have had a millisecond, and tells nothing but that.
                if left ?? timeout >= timeout { told = error }
                if error.kind == .closed || isOver { throw explained(told ?? error) }
                let age = lastUnanswered.map { $0.duration(to: .now) }
                if !error.isPassing,
                    deadline != nil || age ?? .seconds(60) >= options.refusalPatience
                {
                    // etcd carries out what takes the last room, and answers that there is none.
                    let mayHaveHappened = age != nil || error.kind == .full
                    throw EtcdFailure(
                        error.kind, error.reason, mayHaveHappened: mayHaveHappened)
                }
                if error.kind == .unanswered {
                    lastUnanswered = .now
                    timeout = min(timeout * 2, Self.tryMax)
                }
                if error.kind == .unauthenticated {
                    state.withLock { $0.token = nil }
                }
                let isAlone = state.withLock { $0.endpoints.fail(endpoint) }
                if isAlone {
                    Uptime.pause(pause)
                    pause = min(pause * 2, .milliseconds(500))
                }
            }
        }
    }

    /// A failure to connect for lack of a file of this process names the file.
    private func explained(_ failure: EtcdFailure) -> EtcdFailure {
        guard failure.kind == .notSent else { return failure }
        return unreadable(options.caFile, of: "--log-ca")
            ?? unreadable(options.certificateFile, of: "--log-cert")
            ?? unreadable(options.keyFile, of: "--log-key") ?? failure
    }

    private func unreadable(_ path: String?, of option: String) -> EtcdFailure? {
        guard let path, access(path, R_OK) != 0 else { return nil }
        let reason = String(cString: strerror(errno))
        return EtcdFailure(.notSent, "'\(path)' of \(option) cannot be read: \(reason)")
    }

    /// One request with the failure of the protocol above it.
    ///
    /// - Parameter deadlineMin: how long it is tried at least, whatever the options say.
    func ask(
        _ path: String, _ body: [UInt8], firstTry: Duration? = nil, deadlineMin: Duration = .zero
    ) throws(LogFailure) -> EtcdAnswer {
        do throws(EtcdFailure) {
            return try call(
                path, body, deadline: max(options.deadline, deadlineMin), firstTry: firstTry)
        } catch {
            throw error.logFailure
        }
    }

    /// One try with one member, whichever cluster it belongs to.
    func ask(
        _ endpoint: String, _ path: String, _ body: [UInt8], within timeout: Duration
    ) throws(EtcdFailure) -> EtcdAnswer {
        try EtcdAnswer(post(path, body, headers(endpoint, timeout), to: endpoint, timeout))
    }

    /// The text of a GET request to one member.
    func text(
        of path: String, at endpoint: String, within timeout: Duration
    ) throws(EtcdFailure) -> String {
        String(
            decoding: try post(path, nil, ["Accept: text/plain"], to: endpoint, timeout),
            as: UTF8.self)
    }

    /// The members, as they are given.
    var endpoints: [String] { state.withLock { $0.endpoints.all } }

    /// The member that requests go to.
    var endpoint: String? { state.withLock { $0.endpoints.now } }

    private func send(
        _ path: String, _ body: [UInt8], to endpoint: String, _ timeout: Duration
    ) throws(EtcdFailure) -> EtcdAnswer {
        let floor = state.withLock { $0.newest }
        let headers = try headers(endpoint, timeout)
        let answer = try EtcdAnswer(post(path, body, headers, to: endpoint, timeout))
        try check(clusterID: answer.clusterID, of: endpoint)
        state.withLock { $0.answeredAt = .now }
        // Other answers may be those of a member that lags.
        if Self.linearizable.contains(path) { try note(answer.revision, atLeast: floor) }
        return answer
    }

    private func post(
        _ path: String, _ body: [UInt8]?, _ headers: [String], to endpoint: String,
        _ timeout: Duration
    ) throws(EtcdFailure) -> [UInt8] {
        let (connection, number) = try takeConnection()
        defer { giveBack(connection, number) }
        var answer: [UInt8] = []
        let request = EtcdTransfer(
            url: endpoint + path, headers: headers, body: body, timeout: timeout)
        let status = try connection.post(request) { bytes in
            guard answer.count + bytes.count <= Self.answerBytesMax else { return false }
            answer.append(contentsOf: bytes)
            return true
        }
        if status == 200 { return answer }
        let failure = EtcdAnswer.failure(status: status, answer)
        guard failure.kind == .unauthenticated, options.user == nil else { throw failure }
        // No login helps a process without a user.
        throw EtcdFailure(.denied, failure.reason)
    }

    private func takeConnection() throws(EtcdFailure) -> (any EtcdConnection, number: Int) {
        let idle = state.withLock { $0.closedReason == nil ? $0.idle.popLast() : nil }
        let connection: any EtcdConnection
        if let idle { connection = idle } else { connection = try options.connect() }
        let (number, reason) = state.withLock { state in
            state.requests += 1
            if state.closedReason == nil { state.busy[state.requests] = connection }
            return (state.requests, state.closedReason)
        }
        if let reason { throw EtcdFailure(.closed, reason) }
        return (connection, number)
    }

    private func giveBack(_ connection: any EtcdConnection, _ number: Int) {
        state.withLock { state in
            state.busy[number] = nil
            if state.closedReason == nil, state.idle.count < Self.idleMax {
                state.idle.append(connection)
            }
        }
    }

    // MARK: - Headers

    /// Without `Expect`, so that a large request does not wait for a permission.
    private static let headers = ["Content-Type: application/json", "Expect:"]

    private func headers(
        _ endpoint: String, _ timeout: Duration
    ) throws(EtcdFailure) -> [String] {
        guard let user = options.user else { return Self.headers }
        if let token = state.withLock({ $0.token }) {
            return Self.headers + ["Authorization: \(token)"]
        }
        let body = EtcdRequest.authentication(user: user, password: try password())
        let answer = try post(
            "/v3/auth/authenticate", body, Self.headers, to: endpoint, timeout)
        let token = try EtcdAnswer.token(answer)
        state.withLock { $0.token = token }
        return Self.headers + ["Authorization: \(token)"]
    }

    /// The first line of the password file, read anew for each token.
    private func password() throws(EtcdFailure) -> String {
        guard let path = options.passwordFile else { return "" }
        guard let file = fopen(path, "re") else {
            throw EtcdFailure(.notSent, "the password file '\(path)' cannot be read")
        }
        defer { fclose(file) }
        var facts = stat()
        if fstat(fileno(file), &facts) == 0, facts.st_mode & (S_IROTH | S_IWOTH) != 0 {
            throw EtcdFailure(
                .refused,
                "every user may read or write the password file '\(path)'; run: chmod 600 '\(path)'"
            )
        }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(
            decoding: bytes.prefix(count).prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    }

    // MARK: - A watch

    /// Watches rows on a connection of the caller, until the answer ends, or `take` throws or returns false.
    ///
    /// - Parameter take: takes the next line.
    /// - Throws: the failure of `take`, and else what ended the watch.
    func watch(
        _ prefix: String, from revision: Int64, at endpoint: String,
        on connection: any EtcdConnection,
        lineBytesMax: Int, timeout: Duration? = nil,
        take: @escaping ([UInt8]) throws(EtcdFailure) -> Bool
    ) throws(EtcdFailure) {
        let headers = try headers(endpoint, options.firstTry * 4)
        let request = EtcdTransfer(
            url: endpoint + "/v3/watch", headers: headers + ["Grpc-Metadata-hasleader: true"],
            body: EtcdRequest.watch(prefix, from: revision), timeout: timeout)
        let lines = WatchLines(lineBytesMax: lineBytesMax)
        var failure: EtcdFailure?
        do throws(EtcdFailure) {
            let status = try connection.post(request) { bytes in
                do throws(EtcdFailure) {
                    var goesOn = true
                    try lines.add(bytes) { (line) throws(EtcdFailure) in
                        if try !take(line) { goesOn = false }
                    }
                    return goesOn
                } catch {
                    failure = error
                    return false
                }
            }
            if status != 200 {
                throw EtcdFailure(.unanswered, "a watch was answered with \(status)")
            }
        } catch {
            throw failure ?? error
        }
        if let failure { throw failure }
    }

    func forgetToken() { state.withLock { $0.token = nil } }
}
