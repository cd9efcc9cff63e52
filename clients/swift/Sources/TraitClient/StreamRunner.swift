// Keeps a stream connected: opens it, reads its lines, watches for silence, and connects again. What a record means
// is decided by the follower, and what an answer means by StreamDecision; this file has the I/O.

import Foundation

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
        /// Whether the records come by long polls.
        var isPolling = false
        var closing: TraitdError?
        /// Why there is no connection, or was none.
        var lost: TraitdError?
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
    private static var silenceMax: Duration { .seconds(3600) }
    /// A record that comes more slowly counts as silence.
    private static var bytesPerSecondMin: Double { 4096 }

    private let endpoint: Endpoint
    private let session: String
    private var target: StreamTarget
    private let configuration: TraitClient.Configuration
    private let reports: StreamReports
    private let queue: DispatchQueue
    private let transport: Transport

    private var backoff: Backoff
    private var polls = Polling()
    /// Counts connections, so that events of an earlier one are recognized.
    private var connection = 0
    /// Counts the timers of `watchForSilence`, of which the newest counts.
    private var watchdog = 0
    private var transfer: Transfer?
    private var head: AnswerHead?
    /// Of a refusal, or of a long poll.
    private var body: [UInt8] = []
    private var isReading = false
    private var hasSentToken = false
    private var lines = LineSplitter()
    private var silence: Duration
    private var heartbeatSeconds = 15.0
    /// Whether no record has come after the first half of a heartbeat.
    private var isMute = true
    private var opened = DispatchTime.now()
    private var lastHead = DispatchTime.now()
    private var lastBytes = DispatchTime.now()
    private var lastRecord = DispatchTime.now()
    private var bytesSinceRecord = 0
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
        transport = Transport(queue: queue, keepsConnections: false)
    }

    func start() {
        // What can never be asked for is reported at once.
        if case .failure(let error) = (Result { () throws(TraitdError) in try request() }) {
            return close(error)
        }
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
        (head, body, isReading, isMute) = (nil, [], false, true)
        let (token, isReady) = shared.withLock { shared in
            shared.isPolling = polls.isOn
            let token = shared.follower.connect()
            return (token, shared.state == .ready)
        }
        reportState()
        hasSentToken = token != nil
        // The first page comes at once.
        let wait = polls.isOn ? isReady ? polls.waitMilliseconds : 0 : nil
        target.waitMilliseconds = wait
        var request: Request
        do throws(TraitdError) {
            request = try self.request()
        } catch {
            return close(error)
        }
        request.set("Accept", wait == nil ? MediaType.stream : MediaType.json)
        // A proxy that compresses a stream keeps records back.
        request.set("Accept-Encoding", "identity")
        if let token { request.set("Last-Event-ID", token) }
        silence = configuration.timeout + .milliseconds(wait ?? 0)
        (opened, lastBytes, lastRecord, bytesSinceRecord) = (.now(), .now(), .now(), 0)
        transfer = transport.send(request) { [weak self] event in
            self?.receive(event, connection: number)
        }
        watchForSilence()
    }

    private func request() throws(TraitdError) -> Request {
        if let fault = target.fault { throw .invalidArgument(fault) }
        return try endpoint.request(
            target.body == nil ? "GET" : "POST", session: session, path: target.path,
            body: target.body)
    }

    private func connectAgain(_ code: String, _ message: String, after named: Duration? = nil) {
        polls.lose(isSilent: code == "silent", isMute: isMute)
        shared.withLock { shared in
            shared.isConnected = false
            shared.lost = TraitdError(code: code, status: head?.status, message: message)
        }
        reportState()
        let random = Double.random(in: 0...1)
        let delay =
            named.map { backoff.next(named: $0, random: random) } ?? backoff.next(random: random)
        connect(after: delay)
    }

    private func connect(after delay: Duration) {
        transfer?.cancel()
        transfer = nil
        connection += 1
        watchdog += 1
        let number = connection
        queue.asyncAfter(deadline: .now() + delay.seconds) { [weak self] in
            guard let self, connection == number else { return }
            connect()
        }
    }

    /// Ends the connection when nothing has come for `silence`, or too little of a record. The timer is set again once
    /// a period, not with each byte.
    private func watchForSilence() {
        watchdog += 1
        let number = watchdog
        let slowest = silence.seconds + Double(bytesSinceRecord) / Self.bytesPerSecondMin
        let deadline = min(lastBytes + silence.seconds, lastRecord + slowest)
        queue.asyncAfter(deadline: deadline) { [weak self] in
            guard let self, watchdog == number, !isClosed else { return }
            let slowest = silence.seconds + Double(bytesSinceRecord) / Self.bytesPerSecondMin
            if min(lastBytes + silence.seconds, lastRecord + slowest) <= .now() {
                connectAgain("silent", "No record came in time.")
            } else {
                watchForSilence()
            }
        }
    }

    // MARK: Reading

    private func receive(_ event: TransferEvent, connection number: Int) {
        guard connection == number, !isClosed else { return }
        switch event {
        case .begun: break
        case .head(let head):
            self.head = head
            (lastHead, lastBytes, lastRecord, bytesSinceRecord) = (.now(), .now(), .now(), 0)
            if polls.isOn {
                silence = configuration.timeout
                watchForSilence()
            }
            if !StreamDecision.needsBody(status: head.status) { decide(head) }
        case .data(let data):
            if isReading, !polls.isOn { return read(data, connection: number) }
            if isReading { (lastBytes, bytesSinceRecord) = (.now(), body.count + data.count) }
            let most = isReading ? Call.answerBytesMax : Self.problemBytesMax
            if body.count + data.count <= most {
                body.append(contentsOf: data)
            } else if isReading {
                close(Call.tooLarge(status: head?.status))
            }
        case .end(let reason):
            // A body that was cut is no problem of traitd's; the status counts all the same.
            if !isReading, let head { return decide(head) }
            if isReading, polls.isOn, reason == nil { return readPage() }
            if head != nil, reason == nil { return connectAgain("ended", "The stream has ended.") }
            let error = TraitdError.unreachable(reason)
            connectAgain(error.code, error.message)
        }
    }

    private func decide(_ head: AnswerHead) {
        let decision = StreamDecision(
            status: head.status, isPoll: polls.isOn, mediaType: head.mediaType,
            retryAfter: RetryAfter.delay(head.retryAfter, now: Date()),
            hasSentToken: hasSentToken, body: body)
        switch decision {
        case .read:
            isReading = true
            lines = LineSplitter(isEvents: MediaType.isEvents(head.mediaType))
        // The server takes no such poll: the wait is too long for it, or the state too large.
        case .close(let error)
        where polls.isOn && error.problem?["parameter"]?.string == "wait":
            connectAgain(error.code, error.message)
        case .close(let error): close(error)
        case .again(let forgetToken, let named):
            if forgetToken { shared.withLock { $0.follower.forgetToken() } }
            let error = TraitdError(status: head.status, body: body)
            connectAgain("http-\(head.status)", error.message, after: named)
        }
    }

    private func read(_ data: ArraySlice<UInt8>, connection number: Int) {
        lastBytes = .now()
        bytesSinceRecord += data.count
        let isShort = lines.add(data) { line in
            guard connection == number, !isClosed else { return }
            do throws(MalformedRecord) {
                receive(try StreamRecord(line: line))
            } catch {
                if error.type == "state" { shared.withLock { $0.follower.forgetToken() } }
                connectAgain("malformed-record", "\(error)")
            }
        }
        if !isShort, connection == number {
            connectAgain(
                "malformed-record", "A line has more than \(LineSplitter.lineBytesMax) bytes.")
        }
    }

    /// Takes the records of a long poll, and asks for the next ones.
    private func readPage() {
        let number = connection
        let last = hasSentToken ? shared.withLock { $0.follower.revision } : nil
        let page: StreamPage
        do throws(MalformedRecord) {
            page = try StreamPage(json: body, after: last)
        } catch {
            return connectAgain("malformed-record", "\(error)")
        }
        for record in page.records + [page.bookmark].compactMap(\.self) {
            receive(record)
            guard connection == number, !isClosed else { return }
        }
        // A server that answers each poll at once is not asked all the time.
        let wait = Double(target.waitMilliseconds ?? 0) / 1000
        let hasWaited = wait > 0 && opened + wait / 2 <= .now()
        let isNext = !page.records.isEmpty || hasWaited
        connect(after: isNext ? .zero : backoff.next(random: .random(in: 0...1)))
    }

    private func receive(_ record: StreamRecord) {
        backoff.reset()
        (lastRecord, bytesSinceRecord) = (.now(), 0)
        if case .begin(_, let heartbeat?) = record.contents, heartbeat > 0 {
            let named = Duration.clamped(seconds: Double(heartbeat) / 1000 * Self.heartbeatsMax)
            silence = min(named, Self.silenceMax)
            heartbeatSeconds = silence.seconds / Self.heartbeatsMax
            watchForSilence()
        }
        if lastHead + heartbeatSeconds / 2 <= .now() { isMute = false }
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
        case .fault(let reason, let code): connectAgain(code, reason)
        case .tooLarge:
            let most = configuration.stateBytesMax
            close(
                TraitdError(
                    code: "state-too-large", message: "The values have more than \(most) bytes."))
        case .end(let end) where end.isFinal:
            close(
                TraitdError(
                    code: end.reason, message: "The server has ended the stream: \(end.reason)."))
        case .end(let end):
            let named = end.retryAfterMilliseconds.map {
                min(.clamped(seconds: Double($0) / 1000), RetryAfter.streamMax)
            }
            // A server that ends each stream at once is not asked all the time.
            let isShort = opened + backoff.first.seconds > .now()
            connectAgain(
                end.reason, "The server has ended the stream: \(end.reason).",
                after: named == .zero && isShort ? nil : named)
        }
    }

    private func isFault(_ step: StreamStep) -> Bool {
        switch step.connection {
        case .fault, .tooLarge: true
        case .goOn, .end: false
        }
    }

    private func reportState() {
        let state = shared.withLock { $0.state }
        guard state != reported, reported != .closed else { return }
        reported = state
        reports.state?(state)
    }
}
