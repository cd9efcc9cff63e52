// The operations of the interface, as one closed list that is switched over exhaustively, and the
// table of routes: paths, methods and query parameters are data, which the router, `OPTIONS`,
// the error messages and the check against openapi.yaml all read.

import HTTPWire

/// One operation of the interface; the raw value is its `operationId` in openapi.yaml.
package enum Endpoint: String, CaseIterable, Sendable {
    case getIndex, getDocs, getOpenAPIAsJSON, getClient, getInspector, getInspectorFile
    case getLive, getReady, getVersion, getMemory, getOpenAPI, getProblem, whoAmI, listSystemTraits,
        listDevices
    case getMetrics, getServer, listSlowRequests, listSessionEvents
    case makeCollection, compareCollections
    case listSessions, createSession, putSession, getSession, deleteSession
    case listTraits, putTrait, patchTrait, getTrait, deleteTrait
    case listRows, listNodes, createNode, putNode, getNode, patchNode, deleteNode
    case listOverrides, patchOverrides, putOverride, getOverride, deleteOverride
    case listSupplied, patchSupplied, putSupplied, getSupplied, deleteSupplied
    case runTransaction, layout, updateTraitsIfNeeded, getHistory, getStatistics
    case getNodeTraits, getNodeTrait, getValueHistory, compareNodes, resolve, listVariants,
        getNodeTokens, getNodeTokenInput
    case listScopes, putScope, getScope, deleteScope
    case listEnvironmentKeys, putEnvironmentKey, getEnvironmentKey, deleteEnvironmentKey
    case getEnvironment, putEnvironmentValue, getEnvironmentValue, deleteEnvironmentValue
    case listColors, putColor, getColor, deleteColor, getNodeColor
    case listImages, putImage, getImage, deleteImage, getNodeImage
    case listRegistrations, createRegistration
    case putRegistration, getRegistration, deleteRegistration
    case streamRegistrationEvents, streamNodeEvents, streamSessionEvents, streamManyEvents
    case evaluateFlag, evaluateFlags, streamFlagEvents
    case getBackup, compareSessions, exportSession, importSession, applySession, revertSession
}

extension Endpoint {
    /// Whether the operation is one of OpenFeature's protocol. It ignores parameters and members that it does not
    /// know, and takes the token in `X-API-Key` too.
    var isOfFlags: Bool {
        switch self {
        case .evaluateFlag, .evaluateFlags, .streamFlagEvents: true
        default: false
        }
    }

    /// Whether a long body is parsed off the shard before the operation begins: for writes with a body, but
    /// not for the creation of sessions, which itself runs off the shard.
    var parsesBodyFirst: Bool {
        switch self {
        case .putTrait, .patchTrait, .createNode, .putNode, .patchNode, .patchOverrides,
            .putOverride, .patchSupplied, .putSupplied, .runTransaction, .layout,
            .updateTraitsIfNeeded, .putScope, .putEnvironmentKey, .putEnvironmentValue, .putColor,
            .putImage, .createRegistration, .putRegistration, .applySession, .streamManyEvents,
            .listRows, .resolve, .listVariants:
            true
        default: false
        }
    }
}

/// Every query parameter; which of them an operation takes is in the route table.
package enum QueryParameter: Int, CaseIterable, Sendable {
    case pageSize, pageToken
    case under, kind, depth
    case changes, dryRun
    case traits, specified, explain, absent, pending
    case overriding, q
    case node, trait
    case with
    case registrations, from, initial, operations, wait, limit
    case watch, subtree, resync, overflow, compress
    case can, session
    case verbose
    case `as`
    case manager, prune, force, plan
    case flagConfigEtag, ticket
    case selector, attribute, prefix, layer, colors, colorScheme
    /// The revision of the past that an operation reads.
    case revision, at
    /// Filters of the history.
    case resolved, caller, reason, since, until, to
    /// Every operation that shows sessions takes it, and those that show one session the revision as well.
    case consistency, minRevision
    /// Every operation that can answer with JSON takes it.
    case pretty

    package var name: String { Self.names[rawValue] }

    /// Whether it is `true` or `false`.
    var isFlag: Bool {
        switch self {
        case .changes, .dryRun, .specified, .explain, .absent, .pending, .initial, .operations,
            .verbose, .pretty, .prune, .force, .colorScheme:
            true
        default: false
        }
    }

    private static let names = allCases.map { String(describing: $0) }
    private static let shortNames = names.map { ShortName($0) }

    /// The one of `allowed` with that name. O(allowed).
    static func named(
        _ name: UnsafeRawBufferPointer, among allowed: QueryParameterSet
    ) -> Self? {
        guard let name = ShortName(name) else { return nil }
        return allowed.first { shortNames[$0.rawValue] == name }
    }
}

/// A set of parameters as bits, so that a search counts no references.
package struct QueryParameterSet: Sequence, IteratorProtocol, Sendable {
    private(set) var bits: UInt64 = 0

    init(_ parameters: [QueryParameter] = []) {
        precondition(
            QueryParameter.allCases.count <= UInt64.bitWidth, "there are more parameters than bits")
        for parameter in parameters { insert(parameter) }
    }

    mutating func insert(_ parameter: QueryParameter) { bits |= 1 << UInt64(parameter.rawValue) }

    func contains(_ parameter: QueryParameter) -> Bool {
        bits & 1 << UInt64(parameter.rawValue) != 0
    }

    @inline(__always)
    func intersects(_ other: QueryParameterSet) -> Bool { bits & other.bits != 0 }

    /// The first one in the order of the cases, which it removes.
    package mutating func next() -> QueryParameter? {
        if bits == 0 { return nil }
        defer { bits &= bits &- 1 }
        return QueryParameter(rawValue: bits.trailingZeroBitCount)
    }

    /// The parameters that name a revision of the past.
    static let past = QueryParameterSet([.revision, .at])
}

/// One path and its operations. A reference, as every request looks at one.
package final class Route: Sendable {
    /// Reading one counts no references.
    package struct Operation: Sendable {
        package let method: HTTPMethod
        package let endpoint: Endpoint
        package let parameters: QueryParameterSet
        package let access: Access
        /// Whether the operation only shows sessions, so that it may show an older state if its caller allows that.
        let showsSessions: Bool
        let media: AnswerMedia

        fileprivate init(
            _ pattern: String, _ method: HTTPMethod, _ endpoint: Endpoint, _ access: Access?,
            _ parameters: [QueryParameter], isJSON: Bool
        ) {
            self.method = method
            self.endpoint = endpoint
            self.access = access ?? (method == .get ? .read : .write)
            media = endpoint.media
            showsSessions =
                self.access == .read && pattern.hasPrefix("/v1/sessions") || endpoint == .getBackup
            var all = QueryParameterSet(parameters)
            if showsSessions { all.insert(.consistency) }
            if showsSessions, pattern.hasPrefix(session) { all.insert(.minRevision) }
            if isJSON { all.insert(.pretty) }
            self.parameters = all
        }

        /// Whether the operation reads the body of a request.
        var takesBody: Bool { method == .post || method == .put || method == .patch }
    }

    /// As in openapi.yaml: `/v1/sessions/{session}`.
    package let pattern: String
    package let operations: [Operation]

    /// - Parameter access: the verb that a caller needs; without it `read` for GET, and `write` for all others.
    init(
        _ pattern: String, access: Access? = nil,
        _ operations: (HTTPMethod, Endpoint, [QueryParameter])...
    ) {
        self.pattern = pattern
        let isJSON = operations.contains { $0.1.media != .others }
        self.operations = operations.map {
            Operation(pattern, $0.0, $0.1, access, $0.2, isJSON: isJSON)
        }
    }

    /// The methods of the path as `Allow` lists them: HEAD comes with GET, OPTIONS with all.
    package var allow: String {
        var names: [String] = []
        for operation in operations {
            names.append(operation.method.name.description)
            if operation.method == .get { names.append("HEAD") }
        }
        return (names + ["OPTIONS"]).joined(separator: ", ")
    }
}

extension Route {
    private static let write: [QueryParameter] = [.changes, .dryRun]
    private static let page: [QueryParameter] = [.pageSize, .pageToken]
    /// The parameters of operations that read the state of a session, and nothing beside it that a revision does
    /// not have.
    private static let past: [QueryParameter] = [.revision, .at]
    private static let stream: [QueryParameter] = [
        .from, .initial, .wait, .limit, .resync, .overflow, .compress,
    ]
    /// The parameters of lists whose items have names.
    private static let list: [QueryParameter] = page + [.q]
    private static let history: [QueryParameter] = [
        .operations, .node, .trait, .resolved, .caller, .manager, .reason, .since, .until, .kind,
    ]
    static let session = "/v1/sessions/{session}"
    private static let node = "/v1/sessions/{session}/nodes/{node}"

    /// Dynamic values of one kind: defined in a session, resolved at its nodes.
    private static func dynamics(
        _ plural: String, _ one: String, list: Endpoint, put: Endpoint, get: Endpoint,
        delete: Endpoint, resolve: Endpoint
    ) -> [Route] {
        [
            Route(session + "/\(plural)", (.get, list, Route.list + past)),
            Route(
                session + "/\(plural)/{\(one)}", (.get, get, past), (.put, put, write),
                (.delete, delete, write)),
            Route(node + "/\(plural)/{\(one)}", (.get, resolve, past)),
        ]
    }

    /// The protocol of OpenFeature. Providers append the rest of each path to that of the session.
    private static let flags: [Route] = [
        Route(
            session + "/ofrep/v1/evaluate/flags/{key}", access: .read, (.post, .evaluateFlag, [])),
        Route(
            session + "/ofrep/v1/evaluate/flags", access: .read,
            (.post, .evaluateFlags, [.flagConfigEtag])),
        Route(session + "/ofrep/v1/events", (.get, .streamFlagEvents, [.node, .ticket])),
    ]

    private static let bridging: [Route] = [
        Route(node + "/scopes", (.get, .listScopes, past)),
        Route(
            node + "/scopes/{method}", (.get, .getScope, past), (.put, .putScope, write),
            (.delete, .deleteScope, write)),
        Route(session + "/environmentKeys", (.get, .listEnvironmentKeys, list + past)),
        Route(
            session + "/environmentKeys/{key}", (.get, .getEnvironmentKey, past),
            (.put, .putEnvironmentKey, write), (.delete, .deleteEnvironmentKey, write)),
        Route(node + "/environment", (.get, .getEnvironment, past)),
        Route(
            node + "/environment/{key}", (.get, .getEnvironmentValue, past),
            (.put, .putEnvironmentValue, write), (.delete, .deleteEnvironmentValue, write)),
    ]

    package static let all: [Route] =
        fundamental + bridging + flags
        + dynamics(
            "colors", "color", list: .listColors, put: .putColor, get: .getColor,
            delete: .deleteColor, resolve: .getNodeColor)
        + dynamics(
            "images", "image", list: .listImages, put: .putImage, get: .getImage,
            delete: .deleteImage, resolve: .getNodeImage)

    private static let fundamental: [Route] = [
        Route("/", access: .open, (.get, .getIndex, [])),
        Route("/docs", access: .open, (.get, .getDocs, [])),
        Route("/client.js", access: .open, (.get, .getClient, [])),
        Route("/ui", access: .open, (.get, .getInspector, [])),
        Route("/ui/{file}", access: .open, (.get, .getInspectorFile, [])),
        Route("/openapi.json", access: .open, (.get, .getOpenAPIAsJSON, [])),
        Route("/livez", access: .open, (.get, .getLive, [])),
        Route("/readyz", access: .open, (.get, .getReady, [.verbose])),
        Route("/metrics", access: .admin, (.get, .getMetrics, [])),
        Route("/version", access: .open, (.get, .getVersion, [])),
        Route("/openapi.yaml", access: .open, (.get, .getOpenAPI, [])),
        Route("/problems/{code}", access: .open, (.get, .getProblem, [])),
        Route("/v1/memory", access: .admin, (.get, .getMemory, [])),
        Route("/v1/whoami", (.get, .whoAmI, [.can, .session])),
        Route("/v1/server", access: .admin, (.get, .getServer, [])),
        Route("/v1/server/slow", access: .admin, (.get, .listSlowRequests, [])),
        Route("/v1/server/sessions", access: .admin, (.get, .listSessionEvents, [])),
        Route("/v1/traits", (.get, .listSystemTraits, [])),
        Route("/v1/devices", (.get, .listDevices, [])),
        Route("/v1/backup", access: .admin, (.get, .getBackup, [])),
        Route("/v1/collections", access: .read, (.post, .makeCollection, [])),
        Route("/v1/collections/compare", access: .read, (.post, .compareCollections, [])),

        Route(
            "/v1/sessions", (.get, .listSessions, list), (.post, .createSession, [.dryRun])),
        Route(
            session, (.get, .getSession, []), (.put, .putSession, [.dryRun]),
            (.delete, .deleteSession, write)),
        Route(session + "/transactions", (.post, .runTransaction, write)),
        Route(session + "/layout", (.post, .layout, write)),
        Route(node + "/updateTraitsIfNeeded", (.post, .updateTraitsIfNeeded, write)),
        Route(session + "/history", (.get, .getHistory, page + history)),
        Route(session + "/stats", (.get, .getStatistics, [])),
        Route(session + "/compare", (.get, .compareSessions, past + [.with])),
        Route(session + "/export", (.get, .exportSession, past + [.specified])),
        Route(
            session + "/apply",
            (.put, .applySession, write + [.manager, .prune, .force, .plan])),
        Route(session + "/revert", (.post, .revertSession, write)),
        Route(session + "/import", (.put, .importSession, [.as, .dryRun])),

        Route(session + "/traits", (.get, .listTraits, past)),
        Route(
            session + "/traits/{trait}", (.get, .getTrait, past), (.put, .putTrait, write),
            (.patch, .patchTrait, write), (.delete, .deleteTrait, write)),

        Route(session + "/rows", access: .read, (.post, .listRows, past)),
        Route(
            session + "/nodes",
            (.get, .listNodes, past + list + [.under, .kind, .depth, .overriding]),
            (.post, .createNode, write)),
        Route(
            node, (.get, .getNode, past), (.put, .putNode, write), (.patch, .patchNode, write),
            (.delete, .deleteNode, write)),
        Route(
            node + "/overrides", (.get, .listOverrides, past), (.patch, .patchOverrides, write)),
        Route(
            node + "/overrides/{trait}", (.get, .getOverride, past), (.put, .putOverride, write),
            (.delete, .deleteOverride, write)),
        Route(
            node + "/supplied", (.get, .listSupplied, past), (.patch, .patchSupplied, write)),
        Route(
            node + "/supplied/{trait}", (.get, .getSupplied, past), (.put, .putSupplied, write),
            (.delete, .deleteSupplied, write)),

        Route(
            node + "/traits",
            (
                .get, .getNodeTraits,
                past + [
                    .traits, .specified, .explain, .absent, .pending, .subtree, .selector,
                    .attribute,
                    .prefix, .layer, .colors, .colorScheme,
                ]
            )),
        Route(node + "/tokens", (.get, .getNodeTokens, past)),
        Route(node + "/tokens/input", (.get, .getNodeTokenInput, past)),
        Route(
            node + "/traits/{trait}", (.get, .getNodeTrait, past + [.explain, .absent, .pending])),
        Route(node + "/traits/{trait}/history", (.get, .getValueHistory, page + [.from, .to])),
        Route(node + "/compare", (.get, .compareNodes, past + [.with])),
        Route(
            session + "/resolve", access: .read,
            (.post, .resolve, past + page + [.specified, .explain, .absent, .pending])),
        Route(session + "/variants", access: .read, (.post, .listVariants, past + [.pending])),

        Route(
            session + "/registrations", (.get, .listRegistrations, past + list + [.node]),
            (.post, .createRegistration, write)),
        Route(
            session + "/registrations/{registration}", (.get, .getRegistration, past),
            (.put, .putRegistration, write), (.delete, .deleteRegistration, write)),
        Route(
            session + "/registrations/{registration}/events",
            (.get, .streamRegistrationEvents, stream)),
        Route(node + "/events", (.get, .streamNodeEvents, stream + [.traits])),
        Route(
            session + "/events", access: .read,
            (
                .get, .streamSessionEvents,
                stream + [.registrations, .watch, .subtree, .operations]
            ),
            (.post, .streamManyEvents, stream)),
    ]
}
