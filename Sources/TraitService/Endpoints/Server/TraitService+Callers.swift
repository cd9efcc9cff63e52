// Authentication and authorization: from the field `Authorization` to a caller, a verb and a session's name.

import Glibc
import HTTPServer
import HTTPWire
import Ledger
import SessionViews
import TraitJSON
import TraitSessions

extension TraitService {
    /// Finds the caller, where tokens are in use.
    ///
    /// - Parameter takesKey: whether the token may stand alone in `X-API-Key`, without `Authorization`.
    /// - Throws: `unauthenticated`.
    func authenticate(
        _ exchange: Exchange, _ context: RequestContext, takesKey: Bool = false
    ) throws(Problem) {
        guard let tokenChanges else { return }
        let (given, isSole) = exchange.soleHeader(.authorization)
        if takesKey, given == nil {
            if let key = exchange.header(.xAPIKey) {
                return try authenticate(exchange, context, key: key)
            }
            if try authenticateByTicket(exchange, context) { return }
        }
        // Read before the token is verified, so that the next request notices a change during the verification.
        let changes = tokenChanges.count
        if let known = exchange.clientStateAddress, isSole {
            // The address is always of a `ClientState`, which stays while the request is handled.
            let state = Unmanaged<ClientState>.fromOpaque(known)
            let isKnown = state._withUnsafeGuaranteedRef { state in
                guard state.changes == changes, state.isSame(given) else { return false }
                context.callerReference = state.callerReference
                return true
            }
            if isKnown { return }
        }
        guard let tokens else { return }
        // The context does not retain the previous caller, which the new `clientState` may release.
        context.callerReference = nil
        let caller = try verify(exchange, given, tokens)
        exchange.clientState = ClientState(given, changes, caller)
        exchange.count(for: caller.memoryKey)
        context.callerReference = .passUnretained(caller)
    }

    /// Finds the caller by the token in `X-API-Key`. The connection does not remember it, as it remembers values of
    /// `Authorization`.
    private func authenticate(
        _ exchange: Exchange, _ context: RequestContext, key: UnsafeRawBufferPointer
    ) throws(Problem) {
        guard let tokens else { return }
        guard !exchange.isRepeated(.xAPIKey) else {
            throw Self.unauthenticated("Send `X-API-Key` once.", given: true)
        }
        enter(try Self.caller(with: key, after: "`X-API-Key`", tokens), exchange, context)
    }

    /// Finds the caller by a ticket in the query of an event stream's address.
    ///
    /// - Returns: whether there is a ticket.
    private func authenticateByTicket(
        _ exchange: Exchange, _ context: RequestContext
    ) throws(Problem) -> Bool {
        guard let tokens, let match = router.match(exchange.path),
            router.routes[match.route].operations[0].endpoint == .streamFlagEvents
        else { return false }
        var parameters = Query()
        try parameters.parse(
            exchange.query, allowed: QueryParameterSet([.node, .ticket]), ignoresOthers: true)
        guard let text = parameters[.ticket] else { return false }
        try context.take(match)
        let name = String(decoding: context.firstParameter, as: UTF8.self)
        do {
            guard let ticket = Ticket.Parts(text), let node = try parameters.string(.node),
                let uid = store.find(name)?.uid
            else { throw TokenKeeper.Failure.unknown }
            enter(try tokens.caller(with: ticket, uid: uid, node: node), exchange, context)
        } catch {
            throw Self.unauthenticated(
                error as? TokenKeeper.Failure == .expired
                    ? "The ticket has expired. An evaluation of all flags announces another."
                    : "The ticket is not for this stream. An evaluation of all flags announces one.",
                given: true)
        }
        return true
    }

    /// Lets the caller in for this request alone.
    private func enter(_ caller: Caller, _ exchange: Exchange, _ context: RequestContext) {
        context.callerReference = nil
        // The context does not retain the caller.
        exchange.clientState = ClientState(nil, .max, caller)
        exchange.count(for: caller.memoryKey)
        context.callerReference = .passUnretained(caller)
    }

    private func verify(
        _ exchange: Exchange, _ given: UnsafeRawBufferPointer?, _ tokens: TokenKeeper
    ) throws(Problem) -> Caller {
        guard let given else {
            if trustsOwnUser, let user = exchange.peerUserID, user == geteuid() { return ownUser }
            throw Self.unauthenticated(
                "Send `Authorization: Bearer` with a token. `traitd token new` makes one.")
        }
        guard !exchange.isRepeated(.authorization) else {
            throw Self.unauthenticated("Send `Authorization` once.", given: true)
        }
        guard let token = Self.bearer(given) else {
            throw Self.unauthenticated(
                "`Authorization` has to be `Bearer` and a token, which begins with traitd_.",
                given: true)
        }
        return try Self.caller(with: token, after: "`Bearer`", tokens)
    }

    /// - Parameter place: what the token stands behind, for messages.
    private static func caller(
        with token: UnsafeRawBufferPointer, after place: StaticString, _ tokens: TokenKeeper
    ) throws(Problem) -> Caller {
        let parts: TokenText.Parts
        do {
            parts = try TokenText.parse(token)
        } catch {
            throw Self.unauthenticated(
                error == .checksum
                    ? "The token is mistyped or cut off: its checksum is wrong."
                    : "What follows \(place) is no token of traitd, which begins with traitd_ and has "
                        + "\(TokenText.bytes) characters.",
                given: true)
        }
        do {
            return try tokens.caller(with: parts)
        } catch {
            throw Self.unauthenticated(
                error == .expired
                    ? "The token has expired or was revoked. `traitd token new` makes another."
                    : "The server does not know the token. It rereads its file of tokens on SIGHUP.",
                given: true)
        }
    }

    /// The bytes after the scheme `Bearer`, in upper or lower case (RFC 9110 section 11.1); nil for other schemes.
    private static func bearer(_ given: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        let scheme: StaticString = "bearer "
        guard given.count > scheme.utf8CodeUnitCount else { return nil }
        for index in 0..<scheme.utf8CodeUnitCount {
            let byte = given[index]
            let small = (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
            if small != scheme.utf8Start[index] { return nil }
        }
        var start = scheme.utf8CodeUnitCount
        while start < given.count, given[start] == 0x20 { start += 1 }
        return UnsafeRawBufferPointer(rebasing: given[start...])
    }

    /// - Parameter given: whether there was a credential (RFC 6750 section 3.1).
    static func unauthenticated(_ detail: String, given: Bool = false) -> Problem {
        Problem(.unauthenticated, detail).withHeader(
            "WWW-Authenticate: Bearer realm=\"traitd\"" + (given ? ", error=\"invalid_token\"" : "")
        )
    }

    /// For a request whose token ended while the request waited.
    static let revoked = unauthenticated(
        "The token was removed, was changed or has expired while the request waited.", given: true)

    /// Checks that the caller, if there has to be one, has the verb of the operation, and may see the
    /// session that the path names.
    ///
    /// - Throws: `forbidden` with the verb or the sessions; `unknownSession`, as if it were not there.
    @inline(__always)
    func authorize(
        _ gate: RouteGate, _ operation: Int, _ context: RequestContext
    ) throws(Problem) {
        guard let reference = context.callerReference else { return }
        let access = router.operations[gate.firstOperation &+ operation].access
        let isAllowed = reference._withUnsafeGuaranteedRef { caller in
            caller.allow >= access
                && (caller.scope.coversAll
                    || access != .admin
                        && (!gate.namesSession || caller.scope.contains(context.firstParameter)))
        }
        if !isAllowed {
            try refuse(reference.takeUnretainedValue(), gate, operation, context)
        }
    }

    /// Throws the error with which `authorize` refuses a caller.
    private func refuse(
        _ caller: Caller, _ gate: RouteGate, _ operation: Int, _ context: RequestContext
    ) throws(Problem) {
        let operation = router.operations[gate.firstOperation &+ operation]
        let access = operation.access
        if caller.allow < access {
            throw Problem(
                .forbidden,
                "The token \(caller.accessor) lacks the verb \(access.rawValue); it has "
                    + "\(caller.allow.rawValue)."
            ).withHeader(
                "WWW-Authenticate: Bearer realm=\"traitd\", error=\"insufficient_scope\", "
                    + "scope=\"\(access.rawValue)\"")
        }
        // Routes about the server show all its sessions.
        if access == .admin, !caller.scope.coversAll {
            throw Problem(
                .forbidden,
                "The operation concerns the whole server, and the token \(caller.accessor) is for "
                    + "sessions named \(caller.scope.patterns.joined(separator: ", ")). It takes a token "
                    + "for all sessions.")
        }
        let name = context.firstParameter
        try translating { () throws(SessionError) in
            // The error does not depend on whether a session of that name exists.
            if operation.endpoint == .putSession {
                throw SessionError.outside(
                    caller.scope, "'\(try Identifier.checked(name))' is none of them.")
            }
            throw try store.unknown(name, visibleTo: caller.scope)
        }
    }

    /// Whether the caller's scope has a session of that name.
    func mayKnow(_ name: String, _ context: RequestContext) -> Bool {
        guard tokens != nil else { return true }
        return context.caller?.scope.contains(name) ?? false
    }

    /// `GET /v1/whoami`: what the caller may do, and whether it may do what it asks about.
    func whoAmI(_ request: Request) throws(Problem) {
        let context = request.context
        let caller = context.caller
        let verb = try context.query.string(.can)
        let session = try context.query.string(.session)
        context.field("Cache-Control", "no-store")
        context.body.beginObject()
        context.body.key("caller")
        if let caller { context.body.value(caller.accessor) } else { context.body.null() }
        if let caller {
            context.body.member("name", caller.name)
        }
        context.body.member("allow", (caller?.allow ?? .admin).rawValue)
        context.body.beginArray("sessions")
        for pattern in caller?.scope.patterns ?? ["*"] { context.body.value(pattern) }
        context.body.endArray()
        if let expires = caller?.expires {
            context.body.member("expires", Timestamp.text(expires))
        }
        if let verb {
            guard let wanted = TokenEntry.verbs.first(where: { $0.rawValue == verb }) else {
                throw Query.malformed(.can, "It takes read, write or admin.")
            }
            context.body.key("can")
            context.body.value(
                (caller?.allow ?? .admin) >= wanted
                    && session.map { caller?.scope.contains($0) ?? true } ?? true)
        } else if session != nil {
            throw Query.malformed(.session, "It goes with can: ?can=write&session=NAME.")
        }
        context.body.endText()
    }
}
