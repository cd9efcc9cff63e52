// Keeps a stream connected: opens it, reads its lines, watches for silence, and connects again. What a record means
// is decided by the follower, and what an answer means by StreamDecision; this file has the I/O.

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a stream reports. Called on the stream's queue, one after the other.
struct StreamReports: Sendable {
    var record: @Sendable (StreamRecord) -> Void = { _ in }
    var change: (@Sendable (TraitChange) -> Void)?
    var state: (@Sendable (WatchState) -> Void)?
    /// The stream has ended for good.
    var closed: @Sendable () -> Void = {}
}

/// A stream and its follower.
///
/// Sendable without check: `shared` is locked; all other mutable properties are used on `queue` alone.
final class StreamRunner<Follower: StreamFollower>: @unchecked Sendable {
    /// What other threads read.
    struct Shared {
        var follower: Follower
        /// Whether a record has come on this connection.
        var isConnected = false
        var closing: TraitdError?
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        var waiterNumber = 0

        var state: WatchState {
            if closing != nil { return .closed }
            if !follower.isComplete { return .syncing }
            return isConnected && follower.isCurrent ? .ready : .stale
        }
    }
    let shared: Locked<Shared>

    /// The silence after which a stream counts as lost, in heartbeats.
    private static var heartbeatsMax: Double { 2.5 }
    private static var problemBytesMax: Int { 1 << 20 }

    private let endpoint: Endpoint
    private let session: String
    private var target: StreamTarget
    private let configuration: TraitClient.Configuration
    private let reports: StreamReports
    private let queue: DispatchQueue
    private let transport: Transport

    private var backoff: Backoff
    /// Counts connections, so that events of an earlier one are recognized.
    private var connection = 0
    /// Counts the timers of `watchForSilence`, of which the newest counts.
    private var watchdog = 0
    private var transfer: Transfer?
    private var head: HTTPURLResponse?
    private var problem: [UInt8] = []
    private var isReading = false
    private var hasSentToken = false
    private var lines = LineSplitter()
    private var silence: Duration
    private var opened = DispatchTime.now()
    private var lastBytes = DispatchTime.now()
    private var reported = WatchState.syncing

    init(
        _ session: TraitClient.Session, _ target: StreamTarget, _ follower: Follower,
        _ reports: StreamReports
    ) {
        let client = session.client
        endpoint = client.endpoint
        self.session = session.name
        self.target = target
        configuration = client.configuration
        self.reports = reports
        shared = Locked(Shared(follower: follower))
        backoff = Backoff(client.configuration.backoff)
        silence = client.configuration.timeout
        queue = DispatchQueue(label: "TraitClient.stream")
        transport = Transport(queue: queue)
    }

    func start() {
        queue.async { [self] in connect() }
    }

    // MARK: Ending

    /// Ends the stream at once. Further calls do nothing.
    func close() { close(TraitdError(code: "closed", message: "The stream was closed.")) }

    private func close(_ error: TraitdError) {
        let waiters = shared.withLock { shared -> [CheckedContinuation<Void, any Error>]? in
            guard shared.closing == nil else { return nil }
            shared.closing = error
            defer { shared.waiters = [:] }
            return Array(shared.waiters.values)
        }
        guard let waiters else { return }
        transport.invalidate()
        for waiter in waiters { waiter.resume(throwing: error) }
        queue.async { [self] in
            reportState()
            reports.closed()
        }
    }

    private var isClosed: Bool { shared.withLock { $0.closing != nil } }

    // MARK: Connecting

    private func connect() {
        guard !isClosed else { return }
        connection += 1
        let number = connection
        (head, problem, isReading, lines) = (nil, [], false, LineSplitter())
        let token = shared.withLock { shared in
            shared.isConnected = false
            return shared.follower.connect()
        }
        hasSentToken = token != nil
        var request: URLRequest
        do {
            request = try endpoint.request(
                target.body == nil ? "GET" : "POST", session: session, path: target.path,
                body: target.body)
        } catch {
            return close(error)
        }
        request.setValue("application/x-ndjson", forHTTPHeaderField: "Accept")
        // A proxy that compresses a stream keeps records back.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        if let token { request.setValue(token, forHTTPHeaderField: "Last-Event-ID") }
        request.timeoutInterval = Transport.noTimeout.seconds
        silence = configuration.timeout
        (opened, lastBytes) = (.now(), .now())
        transfer = transport.send(request) { [weak self] event in
            self?.receive(event, connection: number)
        }
        watchForSilence()
    }

    private func connectAgain(after named: Duration? = nil) {
        transfer?.cancel()
        transfer = nil
        connection += 1
        watchdog += 1
        shared.withLock { $0.isConnected = false }
        reportState()
        let random = Double.random(in: 0...1)
        let delay =
            named.map { backoff.next(named: $0, random: random) } ?? backoff.next(random: random)
        let number = connection
        queue.asyncAfter(deadline: .now() + delay.seconds) { [weak self] in
            guard let self, connection == number else { return }
            connect()
        }
    }

    /// Ends the connection when nothing has come for `silence`. The timer is set again once a period, not with each
    /// byte.
    private func watchForSilence() {
        watchdog += 1
        let number = watchdog
        queue.asyncAfter(deadline: lastBytes + silence.seconds) { [weak self] in
            guard let self, watchdog == number, !isClosed else { return }
            if lastBytes + silence.seconds <= .now() {
                connectAgain()
            } else {
                watchForSilence()
            }
        }
    }

    // MARK: Reading

    private func receive(_ event: TransferEvent, connection number: Int) {
        guard connection == number, !isClosed else { return }
        switch event {
        case .head(let head):
            self.head = head
            lastBytes = .now()
            if !StreamDecision.needsBody(status: head.statusCode) { decide(head) }
        case .data(let data):
            if isReading {
                read(data, connection: number)
            } else if problem.count + data.count <= Self.problemBytesMax {
                problem.append(contentsOf: data)
            }
        case .end:
            // A body that was cut is no problem of traitd's; the status counts all the same.
            if !isReading, let head { decide(head) } else { connectAgain() }
        }
    }

    private func decide(_ head: HTTPURLResponse) {
        let decision = StreamDecision(
            status: head.statusCode, mediaType: head.value(forHTTPHeaderField: "Content-Type"),
            retryAfter: RetryAfter.delay(
                head.value(forHTTPHeaderField: "Retry-After"), now: Date()),
            hasSentToken: hasSentToken, body: problem)
        switch decision {
        case .read: isReading = true
        case .close(let error): close(error)
        case .again(let forgetToken, let named):
            if forgetToken { shared.withLock { $0.follower.forgetToken() } }
            connectAgain(after: named)
        }
    }

    private func read(_ data: Data, connection number: Int) {
        lastBytes = .now()
        let isShort = lines.add(data) { line in
            guard connection == number, !isClosed else { return }
            do throws(MalformedRecord) {
                receive(try StreamRecord(line: line))
            } catch {
                if error.type == "state" { shared.withLock { $0.follower.forgetToken() } }
                connectAgain()
            }
        }
        if !isShort, connection == number { connectAgain() }
    }

    private func receive(_ record: StreamRecord) {
        backoff.reset()
        if case .begin(_, let heartbeat?) = record.contents, heartbeat > 0 {
            silence = .clamped(seconds: Double(heartbeat) / 1000 * Self.heartbeatsMax)
            watchForSilence()
        }
        let (step, waiters) = shared.withLock { shared in
            let step = shared.follower.receive(record)
            if step.connection == .goOn { shared.isConnected = true }
            guard shared.follower.isComplete else {
                return (step, [CheckedContinuation<Void, any Error>]())
            }
            defer { shared.waiters = [:] }
            return (step, Array(shared.waiters.values))
        }
        if !step.isRepeated, !isFault(step) {
            // The next connection asks for the names that the nodes and traits have then.
            if case .renamed(let renaming) = record.contents { target.rename(renaming) }
            reports.record(record)
        }
        for change in step.changes where !isClosed { reports.change?(change) }
        reportState()
        for waiter in waiters { waiter.resume() }
        switch step.connection {
        case .goOn: break
        case .fault: connectAgain()
        case .end(let end) where end.isFinal:
            close(
                TraitdError(
                    code: end.reason, message: "The server has ended the stream: \(end.reason)."))
        case .end(let end):
            let named = end.retryAfterMilliseconds.map {
                Duration.clamped(seconds: Double($0) / 1000)
            }
            // A server that ends each stream at once is not asked all the time.
            let isShort = opened + backoff.first.seconds > .now()
            connectAgain(after: named == .zero && isShort ? nil : named)
        }
    }

    private func isFault(_ step: StreamStep) -> Bool {
        if case .fault = step.connection { true } else { false }
    }

    private func reportState() {
        let state = shared.withLock { $0.state }
        guard state != reported, reported != .closed else { return }
        reported = state
        reports.state?(state)
    }

    // MARK: Waiting

    /// Returns when the follower is complete, or was.
    /// - Throws: the reason when the stream closes before, or `CancellationError`.
    func synced() async throws {
        let number = shared.withLock { shared in
            shared.waiterNumber += 1
            return shared.waiterNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = shared.withLock { shared -> Result<Void, any Error>? in
                    if shared.follower.isComplete { return .success(()) }
                    if let closing = shared.closing { return .failure(closing) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    shared.waiters[number] = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = shared.withLock { $0.waiters.removeValue(forKey: number) }
            waiter?.resume(throwing: CancellationError())
        }
    }
}
