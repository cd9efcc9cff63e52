// The client: a server, how to reach it, and its sessions.

public import Foundation

/// A client of a traitd server.
///
/// ```swift
/// let client = TraitClient(url: URL(string: "http://127.0.0.1:8080")!)
/// let mail = client.session("mail")
/// let watch = mail.watch(["inbox": .traits(["theme"])])
/// try await watch.synced()
/// print(watch.value("theme", at: "inbox") ?? .null)
/// ```
///
/// Making a client sends nothing. Each watch has one connection of its own; requests share a few. On Linux the
/// client uses sockets, and OpenSSL for `https`, which it loads when it first needs it; it follows no proxy variables
/// of the environment.
public final class TraitClient: Sendable {
    /// How long to wait and how often to try.
    public struct Configuration: Sendable, Hashable {
        /// How long the server may be silent before it has answered a request; for a stream, before it has sent
        /// the head of its answer and the first record.
        public var timeout: Duration
        /// How often a request is repeated at most.
        public var retries: Int
        /// The back-off: the delay before attempt n, counted from 0, is the lower bound times 2ⁿ, at most the
        /// upper bound, times a random factor from 0.5 to 1.
        public var backoff: ClosedRange<Duration>
        /// The most bytes of names and values that a watch holds; one that would hold more closes.
        public var stateBytesMax: Int

        /// Makes a configuration.
        public init(
            timeout: Duration = .seconds(10), retries: Int = 4,
            backoff: ClosedRange<Duration> = .milliseconds(500)...(.seconds(30)),
            stateBytesMax: Int = 64 << 20
        ) {
            (self.timeout, self.retries, self.backoff) = (timeout, retries, backoff)
            self.stateBytesMax = stateBytesMax
        }
    }

    /// Where the server is, as it was given.
    public let url: URL
    /// How long to wait and how often to try.
    public let configuration: Configuration

    let endpoint: Endpoint
    let requests: Transport

    /// Makes a client.
    /// - Parameters:
    ///   - url: the server, with a path if a proxy has it there. Its query, fragment and user are not used.
    ///   - token: the bearer token, which goes into the field `Authorization` and nowhere else.
    ///   - configuration: how long to wait and how often to try.
    public init(url: URL, token: String? = nil, configuration: Configuration = Configuration()) {
        self.url = url
        self.configuration = configuration
        endpoint = Endpoint(url: url, token: token)
        requests = Transport(
            queue: DispatchQueue(label: "TraitClient.requests"), keepsConnections: true)
    }

    deinit { requests.invalidate() }

    /// The session with this name. Sends nothing, so the session need not exist yet.
    public func session(_ name: String) -> Session { Session(client: self, name: name) }

    /// Sends a request to any route of the server, such as `GET` of `/v1/sessions`. A write is sent once.
    /// - Parameters:
    ///   - method: such as `GET`.
    ///   - path: the path with its query, from its slash on. No name in it is empty, `.` or `..`. What cannot stand in a
    ///     path is percent-encoded; `%` itself is not.
    ///   - body: the body, or nil.
    ///   - reason: why a write is made, for the history: 1 to 256 bytes.
    /// - Returns: the body of the answer; null if there is none.
    /// - Throws: ``TraitdError``, or `CancellationError` when the task is cancelled.
    @discardableResult
    public func request(
        _ method: String, _ path: String, body: TraitValue? = nil, reason: String? = nil
    ) async throws -> TraitValue {
        let call = Call(method, path, body, reason: reason, isRead: Call.isRead(method))
        return try await send(call, session: nil)
    }
}
