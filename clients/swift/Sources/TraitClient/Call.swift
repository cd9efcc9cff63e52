// One call: its request, its attempts and its answer.

import Foundation

struct Call: Sendable {
    /// The most bytes of an answer: 64 MiB.
    static let answerBytesMax = 64 << 20

    let method: String
    let path: String
    let body: TraitValue?
    /// The `Idempotency-Key`, the same in all attempts.
    let key: String?
    /// Why the write is made, for the history.
    let reason: String?
    let isRead: Bool
    let accept: String

    init(
        _ method: String, _ path: String, _ body: TraitValue?, key: String? = nil,
        reason: String? = nil, isRead: Bool = false, accept: String = MediaType.json
    ) {
        (self.method, self.path, self.body, self.key) = (method, path, body, key)
        (self.reason, self.isRead, self.accept) = (reason, isRead, accept)
    }

    /// Whether a request with this method may be repeated without a key.
    static func isRead(_ method: String) -> Bool { ["GET", "HEAD", "OPTIONS"].contains(method) }

    static func newKey() -> String { UUID().uuidString.lowercased() }

    var isRepeatable: Bool { isRead || key != nil }

    static func tooLarge(status: Int?) -> TraitdError {
        TraitdError(
            code: "answer-too-large", status: status,
            message: "The answer has more than \(answerBytesMax) bytes.")
    }
}

/// An answer with its whole body or, of rows, with as much of it as has been read.
struct Answer: Sendable {
    let status: Int
    let retryAfter: String?
    let body: [UInt8]
    var isRows = false
}

extension TraitClient {
    /// Carries out the call with its retries. Gives the body of a success.
    /// - Parameter session: the session that the path is below, or nil for a path of the server.
    func send(_ call: Call, session: String?) async throws -> TraitValue {
        let answer = try await answer(to: call, session: session) { request in
            try await exchange(request, isRepeatable: call.isRepeatable)
        }
        return try Self.body(answer)
    }

    /// Carries out the call by exchanges, as often as it may. Gives the answer of a success.
    func answer(
        to call: Call, session: String?, by exchange: (Request) async throws -> Answer
    ) async throws -> Answer {
        var request = try endpoint.request(
            call.method, session: session, path: call.path, body: call.body)
        request.set("Accept", call.accept)
        if let key = call.key {
            guard (1...255).contains(key.utf8.count),
                key.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else {
                throw TraitdError.invalidArgument(
                    "An idempotency key has 1 to 255 printable ASCII characters.")
            }
            request.set("Idempotency-Key", key)
        }
        if let reason = call.reason {
            guard (1...256).contains(reason.utf8.count),
                reason.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            else {
                throw TraitdError.invalidArgument(
                    "A reason has 1 to 256 bytes without control characters.")
            }
            request.set("Traitd-Reason", reason)
        }

        var backoff = Backoff(configuration.backoff)
        var retriesLeft = configuration.retries
        while true {
            let answer: Answer?
            let failure: TraitdError
            do {
                let received = try await exchange(request)
                if (200..<300).contains(received.status) { return received }
                failure = TraitdError(status: received.status, body: received.body)
                answer = received
            } catch let error as TraitdError where error.code == "unreachable" {
                (answer, failure) = (nil, error)
            }
            let decision = RequestDecision(
                status: answer?.status, code: failure.code,
                retryAfter: RetryAfter.delay(answer?.retryAfter, now: Date()),
                isRepeatable: call.isRepeatable, retriesLeft: retriesLeft)
            guard case .retry(let named) = decision else { throw failure }
            retriesLeft -= 1
            let random = Double.random(in: 0...1)
            let delay = named.map { backoff.next(named: $0, random: random) }
            try await Task.sleep(for: delay ?? backoff.next(random: random))
        }
    }

    private static func body(_ answer: Answer) throws(TraitdError) -> TraitValue {
        if answer.body.isEmpty { return .null }
        do {
            return try TraitValue(json: answer.body)
        } catch {
            throw TraitdError(
                code: "malformed-answer", status: answer.status,
                message: "The answer is no JSON: \(error).")
        }
    }

    /// Sends the request once.
    ///
    /// A write that may not be repeated gets a connection of its own: on one that was used before, the server may just
    /// have ended the connection, and the client could not know whether the write was carried out.
    private func exchange(_ request: Request, isRepeatable: Bool) async throws -> Answer {
        if isRepeatable {
            return try await Exchange.answer(
                to: request, over: requests, timeout: configuration.timeout)
        }
        let transport = Transport(
            queue: DispatchQueue(label: "TraitClient.request"), keepsConnections: false)
        defer { transport.invalidate() }
        return try await Exchange.answer(
            to: request, over: transport, timeout: configuration.timeout)
    }
}

/// A request that waits for its answer.
final class Exchange: Sendable {
    private struct State {
        var transfer: Transfer?
        var head: AnswerHead?
        var body: [UInt8] = []
        /// The bytes of the body so far.
        var size = 0
        var continuation: CheckedContinuation<Answer, any Error>?
        var isDone = false
        /// When the head has come, and anything at all.
        var began = DispatchTime.now()
        var lastEvent = DispatchTime.now()
    }
    private let state = Locked(State())
    private let timeout: Duration
    /// Takes the lines of an answer that has some.
    private let rows: RowFeed?

    private init(timeout: Duration, rows: RowFeed?) {
        (self.timeout, self.rows) = (timeout, rows)
        rows?.whenStopped { [weak self] in self?.finish(.failure(CancellationError())) }
    }

    /// Sends a request. With `rows` the answer is there with its head when it has lines, and these follow.
    static func answer(
        to request: Request, over transport: Transport, timeout: Duration, rows: RowFeed? = nil
    ) async throws -> Answer {
        let exchange = Exchange(timeout: timeout, rows: rows)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchange.start(request, transport, continuation)
            }
        } onCancel: {
            exchange.finish(.failure(CancellationError()))
        }
    }

    private func start(
        _ request: Request, _ transport: Transport,
        _ continuation: CheckedContinuation<Answer, any Error>
    ) {
        let isCancelled = state.withLock { state in
            if !state.isDone { state.continuation = continuation }
            return state.isDone
        }
        guard !isCancelled else { return continuation.resume(throwing: CancellationError()) }
        let transfer = transport.send(request) { self.receive($0) }
        guard let transfer else {
            return finish(.failure(TraitdError.unreachable("the client has ended")))
        }
        let isDone = state.withLock { state in
            if !state.isDone { state.transfer = transfer }
            return state.isDone
        }
        if isDone { transfer.cancel() }
    }

    /// When too little has come: nothing for the time, or a body that is slower than 4 KiB a second.
    private var due: DispatchTime {
        state.withLock { state in
            let slowest = timeout.seconds + Double(state.size) / Self.bytesPerSecondMin
            return min(state.lastEvent + timeout.seconds, state.began + slowest)
        }
    }

    private static let bytesPerSecondMin = 4096.0

    private func watchForSilence() {
        DispatchQueue.global().asyncAfter(deadline: due) { [weak self] in
            guard let self, !state.withLock({ $0.isDone }) else { return }
            guard due <= .now() else { return watchForSilence() }
            finish(.failure(TraitdError.unreachable("nothing came in time")))
        }
    }

    private func receive(_ event: TransferEvent) {
        state.withLock { $0.lastEvent = .now() }
        switch event {
        case .begun:
            state.withLock { $0.began = .now() }
            watchForSilence()
        case .head(let head):
            let continuation = state.withLock {
                state -> CheckedContinuation<Answer, any Error>? in
                (state.head, state.began) = (head, .now())
                guard rows != nil, head.isRows else { return nil }
                defer { state.continuation = nil }
                return state.continuation
            }
            continuation?.resume(
                returning: Answer(status: head.status, retryAfter: nil, body: [], isRows: true))
        case .data(let data):
            let status = state.withLock { state in
                state.size += data.count
                return state.head?.status
            }
            guard !take(data) else { return }
            finish(.failure(Call.tooLarge(status: status)))
        case .end(let reason):
            let (head, body) = state.withLock { ($0.head, $0.body) }
            guard let head, reason == nil else {
                return finish(.failure(TraitdError.unreachable(reason)))
            }
            finish(
                .success(Answer(status: head.status, retryAfter: head.retryAfter, body: body)))
        }
    }

    /// False when it is too much.
    private func take(_ data: ArraySlice<UInt8>) -> Bool {
        if let rows, state.withLock({ $0.head?.isRows ?? false }) { return rows.add(data) }
        return state.withLock { state in
            state.body += data
            return state.body.count <= Call.answerBytesMax
        }
    }

    private func finish(_ result: Result<Answer, any Error>) {
        let (continuation, transfer) = state.withLock { state in
            defer { (state.isDone, state.continuation, state.transfer) = (true, nil, nil) }
            return (state.continuation, state.transfer)
        }
        transfer?.cancel()
        rows?.finish(result.map { _ in })
        continuation?.resume(with: result)
    }
}

extension AnswerHead {
    fileprivate var isRows: Bool { status == 200 && MediaType.isRows(mediaType) }
}
