// What must come of a cell, in the plainest form: a second opinion, made without the server's code.

import TraitService

/// How the server must answer.
enum Verdict: Equatable {
    /// This status, and nothing may change.
    case refused(Int)
    /// As if the session were not there, and nothing may change.
    case hidden
    /// No access check refuses the request.
    case passes
}

extension Cell {
    var verdict: Verdict {
        if isOfForeignHost { return .refused(421) }
        if isRefusedForItsPage { return .refused(403) }
        let isOpen = Self.open.contains(pattern)
        if method == .preflight, origin != .none { return .passes }
        if isOpen { return .passes }
        if !bearer.isKnown { return .refused(401) }
        guard let operation else { return .passes }
        if bearer.allow < needed(operation) { return .refused(403) }
        if Self.server.contains(pattern), bearer != .admin { return .refused(403) }
        // The name is in the body.
        if creates, !bearer.sees(session) { return wire == .plain ? .refused(403) : .passes }
        if namesSession, !bearer.sees(session) {
            let makes = pattern == "/v1/sessions/{session}" && method == .put
            return makes ? .refused(403) : .hidden
        }
        return .passes
    }

    /// Routes that need no token.
    private static let open: Set = [
        "/", "/docs", "/livez", "/readyz", "/version", "/openapi.yaml", "/openapi.json",
        "/client.js", "/ui", "/ui/{file}",
        "/problems/{code}",
    ]
    /// Routes about the whole server, all sessions included.
    private static let server: Set = [
        "/v1/memory", "/v1/backup", "/v1/server", "/v1/server/slow", "/v1/server/sessions",
        "/metrics",
    ]

    /// By the method and the path, not by the table.
    private func needed(_ operation: Route.Operation) -> Access {
        if Self.server.contains(pattern) { return .admin }
        return switch method {
        case .get, .head, .options, .preflight: .read
        case .put, .patch, .delete: .write
        case .post:
            [
                "/v1/collections", "/v1/collections/compare", "/v1/sessions/{session}/resolve",
                "/v1/sessions/{session}/rows", "/v1/sessions/{session}/variants",
                "/v1/sessions/{session}/events", "/v1/sessions/{session}/ofrep/v1/evaluate/flags",
                "/v1/sessions/{session}/ofrep/v1/evaluate/flags/{key}",
            ].contains(pattern) ? .read : .write
        }
    }

    private var isOfForeignHost: Bool {
        host == .foreign && pattern != "/livez" && pattern != "/readyz"
    }

    /// Whether the checks for browsers refuse the request of every caller.
    var isRefusedForItsPage: Bool {
        if isOfForeignHost || !method.isSafe && isForeignWrite { return true }
        return method == .preflight && origin != .none && origin != .allowed
    }

    private var isForeignWrite: Bool {
        switch site {
        case .sameOrigin, .navigation: false
        case .sameSite, .crossSite: origin != .allowed
        case .none:
            switch origin {
            case .none, .allowed: false
            // The page's own origin has the numeric address.
            case .own: host != .own
            case .foreign, .null: true
            }
        }
    }

    /// Whether the answer may change what the server holds.
    var mayChange: Bool {
        guard verdict == .passes, !method.isSafe, let operation else { return false }
        return needed(operation) == .write && refusalOfTheWire == nil
    }

    /// The status with which the way a request is sent is refused, once all access checks have passed.
    var refusalOfTheWire: Int? {
        switch wire {
        case .plain: nil
        case .badCoding: body.isEmpty ? nil : 400
        case .expanding: body.isEmpty ? nil : 413
        case .expectation: 417
        }
    }

    /// Whether the caller may know anything of the session.
    var maySee: Bool { bearer.sees(session) }
}
