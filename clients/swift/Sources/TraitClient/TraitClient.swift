// The client: a server, how to reach it, and its sessions.

public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
/// client follows the proxy variables of the environment, such as `http_proxy`, as libcurl does.
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

        /// Makes a configuration.
        public init(
            timeout: Duration = .seconds(10), retries: Int = 4,
            backoff: ClosedRange<Duration> = .milliseconds(500)...(.seconds(30))
        ) {
            (self.timeout, self.retries, self.backoff) = (timeout, retries, backoff)
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
        requests = Transport(queue: DispatchQueue(label: "TraitClient.requests"))
    }

    deinit { requests.invalidate() }

    /// The session with this name. Sends nothing, so the session need not exist yet.
    public func session(_ name: String) -> Session { Session(client: self, name: name) }

    /// Sends a request to any route of the server, such as `GET` of `/v1/sessions`. A write is sent once.
    /// - Parameters:
    ///   - method: such as `GET`.
    ///   - path: the path with its query. What cannot stand in a path is percent-encoded; `%` itself is not.
    ///   - body: the body, or nil.
    /// - Returns: the body of the answer; null if there is none.
    /// - Throws: ``TraitdError``, or `CancellationError` when the task is cancelled.
    @discardableResult
    public func request(
        _ method: String, _ path: String, body: TraitValue? = nil
    ) async throws -> TraitValue {
        try await send(Call(method, path, body, isRead: Call.isRead(method)), session: nil)
    }
}

/// Where the server is and who calls.
struct Endpoint: Sendable {
    /// The server's URL without a slash at its end.
    private let base: String
    private let basePath: String
    private let token: String?

    init(url: URL, token: String?) {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) ?? URLComponents()
        (parts.query, parts.fragment, parts.user, parts.password) = (nil, nil, nil, nil)
        while parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath.removeLast() }
        base = parts.string ?? url.absoluteString
        basePath = parts.percentEncodedPath
        self.token = token
    }

    /// What stands before the path of a request below the session in its target.
    func targetPath(session: String) -> String { basePath + Self.path(session) }

    private static func path(_ session: String) -> String { "/v1/sessions/" + session.queryEncoded }

    /// A request below the session, or for a path of the server without one.
    /// - Throws: ``TraitdError`` `invalid-argument` when the path or the token cannot be sent.
    func request(
        _ method: String, session: String?, path: String, body: TraitValue? = nil
    ) throws(TraitdError) -> URLRequest {
        let slash = path.hasPrefix("/") || path.isEmpty ? "" : "/"
        let text = base + (session.map(Self.path) ?? "") + slash + path.pathEncoded
        guard let url = URL(string: text) else {
            throw .invalidArgument("\(path) is no path of the server.")
        }
        guard !method.isEmpty, method.utf8.allSatisfy({ $0.isTokenCharacter }) else {
            throw .invalidArgument("\(method) is no method.")
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        if let token {
            guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw .invalidArgument("The token has characters that a field cannot have.")
            }
            request.setValue("Bearer " + token, forHTTPHeaderField: "Authorization")
        }
        if let body {
            do {
                request.httpBody = Data(try body.json())
            } catch {
                throw .invalidArgument(error.description)
            }
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        return request
    }
}

extension UInt8 {
    /// Whether a method may have the character (RFC 9110, section 5.6.2); letters and hyphen are enough here.
    fileprivate var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
