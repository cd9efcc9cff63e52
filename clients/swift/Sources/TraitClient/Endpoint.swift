// Where the server is and who calls. Requests are made of these parts, so none can go to another server.

import Foundation

struct Endpoint: Sendable {
    /// Nil when the URL names no server.
    private let origin: Origin?
    /// The path of the URL without slashes at its end.
    private let basePath: String
    private let token: String?

    init(url: URL, token: String?) {
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) ?? URLComponents()
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        (origin, basePath) = (Origin(parts), path)
        self.token = token
    }

    /// What stands before the path of a request below the session in its target.
    func targetPath(session: String) -> String {
        basePath + "/v1/sessions/" + session.queryEncoded
    }

    /// A request below the session, or for a path of the server without one.
    /// - Throws: ``TraitdError`` `invalid-argument` when the request cannot be sent.
    func request(
        _ method: String, session: String?, path: String, body: TraitValue? = nil
    ) throws(TraitdError) -> Request {
        guard let origin else {
            throw .invalidArgument("The URL of the client is no address with http or https.")
        }
        if let session, !session.isSegment {
            throw .invalidArgument("A session is not named \"\(session)\".")
        }
        let isRoot = session == nil && path == "/"
        if let fault = path.pathFault, !isRoot { throw .invalidArgument(fault) }
        guard !method.isEmpty, method.utf8.allSatisfy({ $0.isTokenCharacter }) else {
            throw .invalidArgument("\(method) is no method.")
        }
        let target = (session.map(targetPath) ?? basePath) + path.pathEncoded
        let bytes: [UInt8]?
        do {
            bytes = try body?.json()
        } catch {
            throw .invalidArgument(error.description)
        }
        var request = Request(
            origin, method: method, target: target.isEmpty ? "/" : target, body: bytes)
        if let token {
            guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw .invalidArgument("The token has characters that a field cannot have.")
            }
            request.set("Authorization", "Bearer " + token)
        }
        if body != nil { request.set("Content-Type", "application/json") }
        return request
    }
}

extension Origin {
    /// Nil when the parts have another scheme than http or https, or no host that can be looked up.
    fileprivate init?(_ parts: URLComponents) {
        let schemes = ["http": 80, "https": 443]
        guard let scheme = parts.scheme?.lowercased(), let usual = schemes[scheme],
            var host = parts.encodedHost, (1...65_535).contains(parts.port ?? usual)
        else { return nil }
        let isLiteral = host.hasPrefix("[") && host.hasSuffix("]")
        // The zone of an address, as in [fe80::1%25eth0].
        if isLiteral { host = String(host.dropFirst().dropLast()).replacing("%25", with: "%") }
        let others = Set((isLiteral ? "-._~:%" : "-._~").utf8)
        guard !host.isEmpty,
            host.utf8.allSatisfy({ $0.isTokenCharacter || others.contains($0) || $0.isDigit })
        else { return nil }
        self.init(isSecure: scheme == "https", host: host, port: parts.port ?? usual)
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }

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
