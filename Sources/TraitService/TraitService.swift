// The service: takes complete requests from the server, finds the operation, runs it, and sends
// what it answers. Handlers throw problems; they become answers in one place.

import Background
import Glibc
import HTTPServer
import HTTPWire
import JSONCodec
import Ledger
import SessionLog
import SessionViews
import Synchronization
import TraitEngine
import TraitJSON
import TraitSessions

package final class TraitService: RequestHandler {
    let router = Router()
    package let store: SessionStore
    let limits: ServiceLimits
    let environment: SessionEnvironment
    let version: String
    let access: AccessPolicy
    /// The tokens that callers need; nil when every caller may do everything.
    package let tokens: TokenKeeper?
    let tokenChanges: TokenChanges?
    /// Whether processes of the server's own user need no token on a socket file.
    let trustsOwnUser: Bool
    let proxies: ProxyTrust
    /// The path at which a proxy shows this server; empty for none.
    let publicPath: String
    let inspector: Inspector
    let ownUser = Caller(userID: geteuid())
    private let draining = Atomic<Bool>(false)
    package let places = Places()
    package let observability: Observability
    /// Whether reads show what this server knows, unless a request says otherwise.
    let readsLocally: Bool
    /// Whether the server is ready while the log that it shares does not answer.
    let readyWithoutLog: Bool
    /// Nanoseconds that a request waits for the log; nil for as long as the log takes.
    let waitMax: UInt64?
    private let contexts: [RequestContext]
    private let sweep = Mutex<Ticker?>(nil)
    private let valueSweep = Mutex<Ticker?>(nil)

    /// - Parameters:
    ///   - shards: how many shards the server has; each gets a context of its own.
    ///   - access: which hosts and origins requests may name.
    ///   - tokens: the tokens and what each allows; nil allows every request everything.
    ///   - proxies: the proxies whose `Forwarded` fields are believed.
    ///   - publicPath: what precedes every path at a proxy, as `/traits`.
    ///   - inspector: whether the page at `/ui` is served, and whether it offers to write.
    ///   - trustsOwnUser: whether the server's own user may do everything on a socket file.
    ///   - log: where commits are kept; nil when they end with the process.
    ///   - readsLocally: whether reads show what this server knows of a shared log, unless a request says otherwise.
    ///   - readyWithoutLog: whether the server is ready while a shared log does not answer.
    ///   - refusals: the revision of a shared log that is not applied, by the session's uid.
    ///   - accessLog: gets a note of every answer; has to know as many shards.
    package init(
        version: String, shards: Int, limits: ServiceLimits = ServiceLimits(),
        access: AccessPolicy = .closed, tokens: TokenKeeper? = nil, trustsOwnUser: Bool = false,
        proxies: ProxyTrust = .none, publicPath: String = "", inspector: InspectorMode = .on,
        environment: SessionEnvironment = .system, log: (any SessionLog)? = nil,
        readsLocally: Bool = false, readyWithoutLog: Bool = false,
        refusing refusals: [String: Int64] = [:],
        accessLog: AccessLog? = nil
    ) {
        self.version = version
        self.access = access
        self.tokens = tokens
        tokenChanges = tokens?.changes
        self.trustsOwnUser = trustsOwnUser
        self.proxies = proxies
        self.publicPath = publicPath
        self.inspector = Inspector(inspector)
        self.limits = limits
        self.readsLocally = readsLocally
        self.readyWithoutLog = readyWithoutLog
        self.environment = environment
        store = SessionStore(
            limits: limits, environment: environment, log: log, refusing: refusals)
        waitMax = log?.properties.waitMax.map { UInt64(max(0, $0 / .nanoseconds(1))) }
        observability = Observability(
            shards: max(1, shards), limits: limits, environment: environment, accessLog: accessLog)
        contexts = observability.meters.enumerated().map { shard, meters in
            RequestContext(
                seed: environment.random(), shard: shard, meters: meters, access: access,
                variesByToken: tokens != nil)
        }
    }

    /// Begins to remove feeds without listeners and expired registrations. To be called once, after the
    /// signals are blocked: the threads that this starts inherit the mask.
    package func startSweeping() {
        WriteThreads.shared.prepare()
        ReadThreads.shared.prepare()
        ReadThreads.past.prepare()
        Disposal.prepare()
        let ticker = Ticker { [weak store] in
            store?.removeIdleFeeds()
            store?.releaseIdleRows()
            store?.endExpiredLeases()
            store?.retryFollowing()
            store?.makeRoom()
            store?.past.removeExpired()
            store?.tendPasts()
        }
        sweep.withLock { $0 = ticker }
        // A temporary value ends within a second of its time.
        let values = Ticker(every: .milliseconds(400), leeway: .milliseconds(200)) {
            [weak store] in store?.endExpiredValues()
        }
        valueSweep.withLock { $0 = values }
        tokens?.startExpiring()
    }

    /// Halves the windows of retained commits, and lets go of rows. Returns how many bytes of commits were let go.
    package func shrinkWindows() -> Int {
        store.releaseRows()
        return store.past.removeAll() + store.shrinkWindows()
    }

    /// From now on `/readyz` answers 503, so that load balancers look elsewhere.
    package func drain() { draining.store(true, ordering: .relaxed) }

    var isDraining: Bool { draining.load(ordering: .relaxed) }

    package func handle(_ exchange: Exchange) {
        let context = contexts[exchange.shard]
        context.begin(exchange)
        answer(exchange, context)
        if !context.isTaken { finish(exchange, context) }
        if !context.wakes.isEmpty { context.wakes.wake() }
    }

    package func turnEnded(shard: Int, now: UInt64) {
        observability.meters[shard].turnEnded(now: now)
    }

    package func turnWasSlow(shard: Int, _ turn: SlowTurn) {
        observability.slowTurns.add(turn, shard: shard)
    }

    /// Makes the answer of the request at hand, in the context.
    func answer(_ exchange: Exchange, _ context: RequestContext) {
        do throws(Problem) {
            try perform(exchange, context)
        } catch {
            if context.mustRepeat { return }
            context.render(shaped(error, exchange, context))
            if store.isShared { showConsistency(context) }
            if error.code == .idempotencyInFlight { return showAcknowledged(context) }
            showRevision(exchange.path, context, seenAt: error.seenAt)
        }
    }

    /// Every answer about a session says which revision it is at, problems too; and like every
    /// answer they wait until that revision is acknowledged.
    ///
    /// - Parameter seenAt: the revision that the problem is about; 0 for the newest.
    func showRevision(
        _ path: UnsafeRawBufferPointer, _ context: RequestContext, seenAt: Int64 = 0
    ) {
        guard context.parameterCount > 0, path.starts(with: "/v1/sessions/".utf8) else { return }
        showRevision(
            of: String(decoding: context.firstParameter, as: UTF8.self), context, seenAt: seenAt)
    }

    func showRevision(of name: String, _ context: RequestContext, seenAt: Int64 = 0) {
        guard mayKnow(name, context), let session = store.find(name) else { return }
        while true {
            let isShown: Void? = session.withStateIfFree { state in
                let newest =
                    context.origin.confirmation.isWaived ? state.acknowledged : state.head
                let revision = seenAt > 0 ? seenAt : newest
                // If the commit that the problem is about was undone, the request is handled again.
                context.response =
                    revision > state.head ? .again : state.pendingResponse(until: revision)
                context.field("Traitd-Revision", revision)
            }
            if isShown != nil { return }
            switch session.entryWhileOwned(before: true) {
            case .free: continue
            case .before(let standIn):
                return context.field(
                    "Traitd-Revision", seenAt > 0 ? seenAt : standIn.headOrRecall())
            case .wait(let response):
                context.response = response
                return
            }
        }
    }

    /// The access checks come first: a refusal of the wire reveals to a stranger, or a page of a foreign host, nothing
    /// that a whole request would not.
    package func refuse(_ refusal: WireError, _ exchange: Exchange) {
        let context = contexts[exchange.shard]
        context.begin(exchange)
        context.origin.isNoted = exchange.isAnswerRefused
        do throws(Problem) {
            // Without a path there is no head, or the answer to a request that has passed is refused.
            if !exchange.path.isEmpty, let match = try enter(exchange, context) {
                // A method that the path does not take is no matter of access: the wire's fault is the first one.
                let gate = router.gates[match.route]
                if let index = router.operation(of: gate, exchange.method) {
                    try authorize(gate, index, context)
                }
                context.render(Problem(refusal))
                // A refusal does not wait for the log, so it shows what the log has acknowledged.
                if gate.namesSession { showAcknowledged(context) }
            } else {
                context.render(Problem(refusal))
            }
        } catch {
            context.render(error)
        }
        context.send(on: exchange)
    }

    /// Sends the answer, or keeps it until the revision that it shows is acknowledged.
    ///
    /// - Parameters:
    ///   - retained: the request, where the exchange no longer has it.
    ///   - deadline: until when the request waits, if it has waited before.
    func finish(
        _ exchange: Exchange, _ context: RequestContext, _ retained: RetainedRequest? = nil,
        until deadline: UInt64? = nil
    ) {
        if store.isShared { confirmIfUnchanged(context) }
        guard let response = context.response else { return context.send(on: exchange) }
        guard let request = retained ?? exchange.retainRequest(),
            let answer = PendingAnswer(
                self, context, exchange, request, waitingFor: response, until: deadline)
        else { return exchange.abandon() }
        answer.park(exchange)
    }

    private func perform(_ exchange: Exchange, _ context: RequestContext) throws(Problem) {
        guard let match = try enter(exchange, context) else {
            return try performWithoutRoute(exchange, context)
        }
        if store.isStarting, try waitsForStart(router.routes[match.route], context) { return }
        guard let operation = try operation(exchange, match, context) else { return }
        let endpoint = operation.endpoint
        let collected =
            endpoint == .applySession ? exchange.sink.flatMap { $0 as? ApplyFeed } : nil
        if store.isShared {
            // A body that was read as it came is gone when a request is handled again.
            let request = Request(exchange: exchange, context: context)
            if collected == nil, try waitsForConfirmation(operation, match, request) { return }
        } else if context.query[.minRevision] != nil {
            try checkMinRevision(operation, context)
        }
        if let accept = exchange.header(.accept) {
            try checkAccept(accept, exchange, operation.media, context)
        }
        let request = Request(exchange: exchange, context: context)
        if let collected {
            let body = try translating { () throws(SessionError) in try collected.body() }
            return try runWithLongBody(endpoint, request, body)
        }
        if exchange.body.count > limits.inlineBodyBytesMax, endpoint.parsesBodyFirst {
            return try runWithLongBody(endpoint, request)
        }
        if context.origin.readsPast { return try runInPast(endpoint, request) }
        try run(endpoint, request)
    }

    /// Refuses the body of a request that would be refused whatever is in it, before it is read or decompressed.
    /// The document of an import is read as it comes, and a long one of an apply collected.
    package func expectBody(_ exchange: Exchange) {
        let context = contexts[exchange.shard]
        context.begin(exchange)
        do throws(Problem) {
            guard let match = try enter(exchange, context) else {
                try performWithoutRoute(exchange, context)
                return context.send(on: exchange)
            }
            guard let operation = try operation(exchange, match, context) else {
                return context.send(on: exchange)
            }
            // A body that is too long is the wire's to refuse, unless a sink takes it.
            let isTooLong = (exchange.declaredBodyLength ?? 0) > exchange.bodyBytesMax
            let takesDocument =
                operation.endpoint == .importSession || operation.endpoint == .applySession
            if isTooLong, !takesDocument { return }
            guard operation.takesBody else { return exchange.leaveBody() }
            let request = Request(exchange: exchange, context: context)
            // A body in chunks may turn out to be empty, and then needs no type.
            if exchange.isBodyCoded || (exchange.declaredBodyLength ?? 0) > 0 {
                try request.checkMediaType()
            }
            guard takesDocument, !exchange.isBodyWhole else { return }
            if store.isStarting { return try checkCanWait(exchange) }
            if operation.endpoint == .importSession {
                exchange.feedBody(to: try importFeed(request))
            } else if let feed = try applyFeed(exchange) {
                exchange.feedBody(to: feed)
            }
        } catch {
            context.render(shaped(error, exchange, context))
            context.send(on: exchange)
        }
    }

    /// Whether the request waits until the sessions of the log are loaded; then it runs again.
    private func waitsForStart(
        _ route: Route, _ context: RequestContext
    ) throws(Problem) -> Bool {
        if route.operations.allSatisfy({ $0.access == .open }) { return false }
        switch store.waitForStart() {
        case .over: return false
        case .abandoned:
            throw Problem(
                .draining, "The server ends before all sessions are read. Nothing has changed.")
        case .until(let response):
            context.response = response
            return true
        }
    }

    /// - Throws: the refusal of a document that cannot wait for the start, because a request waits with
    ///   its body in memory.
    private func checkCanWait(_ exchange: Exchange) throws(Problem) {
        let bytesMax = exchange.bodyBytesMax
        if let length = exchange.declaredBodyLength, length <= bytesMax { return }
        throw Problem(
            .starting,
            "The server is reading its sessions: \(startProgress). Until it is ready, a document needs a Content-Length of at most \(bytesMax) bytes. Send it again when /readyz answers 200."
        )
    }

    private func performWithoutRoute(
        _ exchange: Exchange, _ context: RequestContext
    ) throws(Problem) {
        try checkMethod(exchange)
        if exchange.method == .options, exchange.targetForm == .asterisk {
            return allow(Self.methods, context)
        }
        let near = router.path(near: exchange.path)
        throw Problem(
            .unknownRoute,
            near == nil
                ? "There is nothing at this path. GET /openapi.yaml lists every route."
                : "There is nothing at this path: paths have no slash at the end and no empty parts.",
            didYouMean: near)
    }

    /// Refuses a method that the route does not take. Answers OPTIONS, which no table lists.
    func refuseMethod(
        _ exchange: Exchange, _ route: Route, _ context: RequestContext
    ) throws(Problem) {
        if isPreflight(exchange) {
            return answerPreflight(
                exchange, methods: route.allow,
                takesKey: route.operations.contains { $0.endpoint.isOfFlags }, context)
        }
        if exchange.method == .options { return allow(route.allow, context) }
        try checkMethod(exchange)
        throw Problem(
            .methodNotAllowed, "\(route.pattern) takes \(route.allow)."
        ).withHeader("Allow: \(route.allow)")
    }

    /// A method that is known nowhere here gets 501; 405 would say that another path takes it
    /// (RFC 9110 section 9.1).
    private func checkMethod(_ exchange: Exchange) throws(Problem) {
        switch exchange.method {
        case .trace, .connect, .other:
            throw Problem(
                .notImplemented,
                "'\(Self.printable(exchange.methodName))' is no method of this server, "
                    + "which takes \(Self.methods)."
            ).withHeader("Allow: \(Self.methods)")
        default: return
        }
    }

    /// The methods that at least one resource takes.
    private static let methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"

    /// The name of an unknown method, cut to 32 bytes.
    private static func printable(_ name: UnsafeRawBufferPointer) -> String {
        String(decoding: name.prefix(32), as: UTF8.self) + (name.count > 32 ? "…" : "")
    }

    private func allow(_ methods: String, _ context: RequestContext) {
        context.status = 204
        context.contentType = nil
        context.field("Allow", methods)
    }
}
