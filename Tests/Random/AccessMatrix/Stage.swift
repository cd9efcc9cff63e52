// The server that the matrix asks: two sessions, one of which only its administrator may know, and the
// tokens of five callers.

import Foundation
import HTTPServer
import HTTPWire
import PlainClient
import SessionViews
import TraitService
import TraitSessions

final class Stage {
    static let allowedOrigin = "https://app.example"
    /// Words that are in the hidden session and nowhere else.
    static let secrets = ["stripes", "zebra-label", between]
    /// How hidden names begin that lie between the visible one and its misspelt name.
    private static let between = "team.stripy-"

    let service: TraitService
    private let server: HTTPServer
    let port: UInt16
    private let socket: String
    private var tokens: [Cell.Bearer: String] = [:]
    private let path: String
    private let probe: PlainClient
    private let unixProbe: PlainClient

    /// - Parameter hidden: how many hidden sessions lie between the visible one and its misspelt name.
    init(hidden: Int = 0) throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("traitd-matrix-\(UUID().uuidString)").path
        let file = TokenFile(path: path)
        for (bearer, sessions) in [
            (Cell.Bearer.reader, "team-*"), (.writer, "team-*"), (.outsider, "other-*"),
            (.admin, "*"),
        ] {
            let accessor = TokenText.makeAccessor()
            let (token, hash) = TokenText.make(accessor: accessor)
            try file.append(
                TokenEntry(
                    accessor: accessor, name: "\(bearer)", allow: bearer.allow,
                    sessions: [sessions],
                    hash: hash, created: 0, expires: nil))
            tokens[bearer] = token
        }
        tokens[.unknown] = TokenText.make(accessor: "aaaaaaaa").token
        service = TraitService(
            version: "matrix", shards: 1, access: try AccessPolicy(origins: [Self.allowedOrigin]),
            tokens: try TokenKeeper(file))
        var configuration = ServerConfiguration()
        socket = path + ".socket"
        configuration.addresses = [.tcp(host: "127.0.0.1", port: 0), .unix(path: socket)]
        configuration.shards = 1
        server = HTTPServer(configuration: configuration, handler: service)
        port = try server.start().first?.port ?? 0
        probe = PlainClient(port: port)
        unixProbe = PlainClient(path: socket)
        for number in 0..<hidden {
            let admin = "Authorization: Bearer \(tokens[.admin] ?? "")\r\n"
            _ = try raw("PUT", "/v1/sessions/\(Self.between)\(number)", admin, "{}")
        }
        try restore(.hidden)
        try restore(.visible)
    }

    deinit {
        server.stop()
        unlink(path)
    }

    // MARK: - State

    /// Every session with its revision, whatever a caller may see.
    var state: [String] {
        service.store.page(after: nil, limit: .max).map {
            "\($0.name) \($0.uid) \($0.withState(\.head))"
        }
    }

    /// Makes the session as it was at the start.
    func restore(_ session: Cell.Session) throws {
        let admin = "Authorization: Bearer \(tokens[.admin] ?? "")\r\n"
        _ = try raw("DELETE", "/v1/sessions/\(session.rawValue)", admin, nil)
        let word = session == .hidden ? "stripes" : "plain"
        let label = session == .hidden ? "zebra-label" : "label"
        let body = """
            {"updates":"immediate","traits":{"\(word)":{"type":"string","default":"\(word)"}},\
            "nodes":[{"id":"n","kind":"environment","label":"\(label)"},\
            {"id":"m","kind":"environment","parent":"n"}]}
            """
        let made = try raw("PUT", "/v1/sessions/\(session.rawValue)", admin, body)
        guard made.status == 201 else { throw PlainClientError("no session: \(made)") }
        _ = try raw(
            "PUT", "/v1/sessions/\(session.rawValue)/registrations/r", admin,
            #"{"node":"n","traits":["\#(word)"]}"#)
    }

    /// Removes what writes that were allowed have made beside the two.
    func tidy() throws {
        let admin = "Authorization: Bearer \(tokens[.admin] ?? "")\r\n"
        let known = [Cell.Session.visible.rawValue, Cell.Session.hidden.rawValue]
        for session in service.store.page(after: nil, limit: .max)
        where !known.contains(session.name) && !session.name.hasPrefix(Self.between) {
            _ = try raw("DELETE", "/v1/sessions/\(session.name)", admin, nil)
        }
    }

    private func raw(
        _ method: String, _ target: String, _ fields: String, _ body: String?
    ) throws -> PlainAnswer {
        try probe.ask(
            Array(
                """
                \(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\
                Content-Type: application/json\r\nContent-Length: \(body?.utf8.count ?? 0)\r\n\r\n\
                \(body ?? "")
                """.utf8), isHead: method == "HEAD")
    }

    // MARK: - Cells

    func ask(_ cell: Cell) throws -> PlainAnswer {
        var fields = ""
        switch cell.origin {
        case .none: break
        case .own: fields += "Origin: http://127.0.0.1:\(port)\r\n"
        case .allowed: fields += "Origin: \(Self.allowedOrigin)\r\n"
        case .foreign: fields += "Origin: https://evil.example\r\n"
        case .null: fields += "Origin: null\r\n"
        }
        if cell.site != .none { fields += "Sec-Fetch-Site: \(cell.site.rawValue)\r\n" }
        if cell.method == .preflight { fields += "Access-Control-Request-Method: PUT\r\n" }
        if let token = tokens[cell.bearer] { fields += "Authorization: Bearer \(token)\r\n" }
        let host =
            switch cell.host {
            case .own: "127.0.0.1:\(port)"
            case .localhost: "localhost:\(port)"
            case .foreign: "evil.example:\(port)"
            }
        var body = Array(cell.body.utf8)
        switch cell.wire {
        case .plain: break
        case .badCoding: body = Array("no coding".utf8)
        case .expanding: body = Self.expanding
        case .expectation: fields += "Expect: x\r\n"
        }
        if [.badCoding, .expanding].contains(cell.wire) { fields += "Content-Encoding: gzip\r\n" }
        return try (cell.listener == .tcp ? probe : unixProbe).ask(
            Array(
                """
                \(cell.method.name) \(cell.target) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\
                Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n
                """.utf8) + body, isHead: cell.method == .head)
    }

    /// A megabyte of blanks as a kilobyte of gzip.
    private static let expanding: [UInt8] = {
        let out = OutputBuffer()
        let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20)
        let isEncoded = blanks.withUnsafeBytes { GzipEncoder(level: 9).encode($0, into: out) }
        precondition(isEncoded, "no memory")
        return Array(out.bytes)
    }()
}

extension Cell {
    /// The path with names of what is there.
    var target: String {
        var path = pattern
        for (name, value) in [
            ("session", session.rawValue), ("node", "n"), ("trait", "displayScale"), ("key", "k"),
            ("registration", "r"), ("method", "draw"), ("color", "c"), ("image", "i"),
            ("code", "forbidden"), ("file", "app.js"),
        ] {
            path = path.split(separator: "{\(name)}", omittingEmptySubsequences: false)
                .joined(separator: value)
        }
        // A page: a stream would have no end.
        if pattern.hasSuffix("/events"), [.get, .head, .post].contains(method) {
            path += "?wait=0"
        }
        if pattern.hasSuffix("/compare"), method == .get || method == .head {
            path += "?with=m"
        }
        return path
    }

    /// A body with which the operation does something.
    var body: String {
        guard !method.isSafe, let endpoint = operation?.endpoint else { return "" }
        return switch endpoint {
        case .createSession: #"{"name":"\#(session.rawValue)"}"#
        case .putTrait: #"{"type":"int","default":0}"#
        case .createNode, .putNode: #"{"kind":"environment"}"#
        case .patchNode: #"{"label":"other"}"#
        case .patchTrait: #"{"name":"other"}"#
        case .patchOverrides, .patchSupplied: #"{"displayScale":2}"#
        case .putOverride, .putSupplied: #"{"value":3}"#
        case .putEnvironmentKey: #"{"type":"int","default":0}"#
        case .putEnvironmentValue: #"{"value":1}"#
        case .putScope: #"{"reads":["displayScale"]}"#
        case .putColor, .putImage: #"{"variants":[{"value":1}]}"#
        case .createRegistration, .putRegistration: #"{"node":"m","traits":["displayScale"]}"#
        case .revertSession: #"{"revision":1}"#
        case .runTransaction: #"{"operations":[{"op":"deleteNode","node":"m"}]}"#
        case .resolve: #"{"under":"n"}"#
        case .listVariants: #"{"nodes":["n"],"axes":[]}"#
        case .evaluateFlag, .evaluateFlags: #"{"context":{"targetingKey":"n"}}"#
        case .streamManyEvents: #"{"watches":[{"node":"n","traits":["displayScale"]}]}"#
        case .compareCollections: #"{"a":{},"b":{}}"#
        case .deleteSession, .deleteTrait, .deleteNode, .deleteOverride, .deleteSupplied,
            .deleteScope, .deleteEnvironmentKey, .deleteEnvironmentValue, .deleteColor,
            .deleteImage,
            .deleteRegistration:
            ""
        default: "{}"
        }
    }
}
