// The calls of a session.

import Foundation

extension TraitClient {
    /// A session of the server. A value: copies are the same session.
    public struct Session: Sendable {
        /// The client that the session belongs to.
        public let client: TraitClient
        /// The name of the session.
        public let name: String

        init(client: TraitClient, name: String) { (self.client, self.name) = (client, name) }

        /// Why no call can be made, or nil: the name cannot stand in an address, or the client has none.
        package var fault: TraitdError? {
            do throws(TraitdError) {
                _ = try client.endpoint.request("GET", session: name, path: "")
                return nil
            } catch {
                return error
            }
        }
    }
}

extension TraitClient.Session {
    /// Reads what the traits of nodes resolve to, all at one revision.
    /// - Parameters:
    ///   - nodes: the nodes.
    ///   - traits: keys, identifiers and names of sets; nil for all traits.
    ///   - changed: with `assume`, only the nodes that would differ, with the traits that would.
    ///   - operations: the answer is what would be shown after these operations, which are not carried out.
    /// - Throws: ``TraitdError``, or `CancellationError` when the task is cancelled.
    public func resolve(
        nodes: [String], traits: [String]? = nil, changed: Bool = false,
        assume operations: ((inout TraitOperations) -> Void)? = nil
    ) async throws -> TraitResolution {
        try await resolve(
            ["nodes": .array(nodes.map(TraitValue.string))], traits, changed, operations)
    }

    /// Reads what the traits of a node and of all nodes below it resolve to, all at one revision. The options are those
    /// of `resolve(nodes:)`.
    /// - Throws: ``TraitdError``, or `CancellationError` when the task is cancelled.
    public func resolve(
        under node: String, traits: [String]? = nil, changed: Bool = false,
        assume operations: ((inout TraitOperations) -> Void)? = nil
    ) async throws -> TraitResolution {
        try await resolve(["under": .string(node)], traits, changed, operations)
    }

    private func resolve(
        _ body: TraitObject, _ traits: [String]?, _ changed: Bool,
        _ operations: ((inout TraitOperations) -> Void)?
    ) async throws -> TraitResolution {
        var body = body
        body["traits"] = traits.map { .array($0.map(TraitValue.string)) }
        if let operations {
            var list = TraitOperations()
            operations(&list)
            body["assume"] = .array(list.operations)
        }
        if changed { body["changed"] = true }
        let names = (body["nodes"]?.array ?? [body["under"] ?? .null]).compactMap(\.string)
        try Self.check(names + (traits ?? []))
        let call = Call("POST", "/resolve", .object(body), isRead: true)
        return try await decoded(call, TraitResolution.init)
    }

    /// What nodes would show under combinations of assumptions, one combination a row (docs/whatif.md).
    ///
    /// ```swift
    /// let axes: [TraitValue] = [
    ///     ["name": "style", "trait": "userInterfaceStyle", "at": "scene"],
    ///     ["name": "device", "devices": ["iPhone SE", "iPad Pro 11"], "at": "scene"],
    /// ]
    /// for try await row in mail.variants(nodes: ["inbox"], axes: axes, distinct: true) {
    ///     print(row.labels, row.values)
    /// }
    /// ```
    /// - Parameters:
    ///   - nodes: whose traits each row has.
    ///   - axes: as openapi.yaml describes them: by trait, by devices, or by operations.
    ///   - reads: traits, or `"recorded"` for those that the nodes are known to read; nil for all traits.
    ///   - colors: names, or `"all"`.
    ///   - images: names, or `"all"`.
    ///   - strength: 0 for all combinations, 2 or 3 for rows that have each pair or triple of values.
    ///   - except: combinations that no row has.
    ///   - distinct: joins the combinations that the nodes cannot tell apart.
    public func variants(
        nodes: [String], axes: [TraitValue], reads: TraitValue? = nil, colors: TraitValue? = nil,
        images: TraitValue? = nil, strength: Int = 0, except: [TraitValue] = [],
        distinct: Bool = false
    ) -> TraitVariants {
        var query: TraitObject = [
            "nodes": .array(nodes.map(TraitValue.string)), "axes": .array(axes),
        ]
        (query["reads"], query["colors"], query["images"]) = (reads, colors, images)
        if strength != 0 { query["strength"] = .integer(Int64(strength)) }
        if !except.isEmpty { query["except"] = .array(except) }
        if distinct { query["distinct"] = true }
        return TraitVariants(self, query)
    }

    /// Carries out operations, all or none, as one commit.
    ///
    /// ```swift
    /// try await mail.transaction {
    ///     $0.setOverride("theme", "bold", at: "scene")
    ///     $0.removeOverride("level", at: "a")
    /// }
    /// ```
    ///
    /// The request has an `Idempotency-Key`, so that a repetition after a lost answer makes no second commit.
    /// - Parameters:
    ///   - ifRevision: commit only if the session is at this revision; else the error is `revision-mismatch`.
    ///   - dryRun: show the effect without a commit.
    ///   - idempotencyKey: a key of the caller's, so that the call can be repeated by another process; nil for one
    ///     that is made for this call.
    ///   - reason: why the write is made, for the history: 1 to 256 bytes.
    ///   - operations: adds the operations.
    /// - Throws: ``TraitdError``, or `CancellationError` when the task is cancelled.
    @discardableResult
    public func transaction(
        ifRevision: Int64? = nil, dryRun: Bool = false, idempotencyKey: String? = nil,
        reason: String? = nil, _ operations: (inout TraitOperations) -> Void
    ) async throws -> TraitCommit {
        var list = TraitOperations()
        operations(&list)
        return try await transaction(
            list.operations, ifRevision: ifRevision, dryRun: dryRun, idempotencyKey: idempotencyKey,
            reason: reason)
    }

    /// Carries out operations as openapi.yaml describes them, all or none, as one commit.
    /// - Throws: ``TraitdError``, or `CancellationError` when the task is cancelled.
    @discardableResult
    public func transaction(
        _ operations: [TraitValue], ifRevision: Int64? = nil, dryRun: Bool = false,
        idempotencyKey: String? = nil, reason: String? = nil
    ) async throws -> TraitCommit {
        var body: TraitObject = ["operations": .array(operations)]
        body["ifRevision"] = ifRevision.map(TraitValue.integer)
        let path = "/transactions" + (dryRun ? "?dryRun=true" : "")
        let call = Call(
            "POST", path, .object(body), key: idempotencyKey ?? Call.newKey(), reason: reason)
        return try await decoded(call, TraitCommit.init)
    }

    /// Sets the override of a trait at a node, as one commit. The options are those of `transaction`.
    /// - Throws: ``TraitdError``, or `CancellationError` when the task is cancelled.
    @discardableResult
    public func setOverride(
        _ trait: String, _ value: TraitValue, at node: String, ifRevision: Int64? = nil,
        dryRun: Bool = false, idempotencyKey: String? = nil, reason: String? = nil
    ) async throws -> TraitCommit {
        try Self.check([node, trait])
        return try await transaction(
            ifRevision: ifRevision, dryRun: dryRun, idempotencyKey: idempotencyKey, reason: reason
        ) { $0.setOverride(trait, value, at: node) }
    }

    /// Removes the override of a trait at a node, as one commit. The options are those of `transaction`.
    /// - Throws: ``TraitdError``, or `CancellationError` when the task is cancelled.
    @discardableResult
    public func removeOverride(
        _ trait: String, at node: String, ifRevision: Int64? = nil, dryRun: Bool = false,
        idempotencyKey: String? = nil, reason: String? = nil
    ) async throws -> TraitCommit {
        try Self.check([node, trait])
        return try await transaction(
            ifRevision: ifRevision, dryRun: dryRun, idempotencyKey: idempotencyKey, reason: reason
        ) { $0.removeOverride(trait, at: node) }
    }

    static func check(_ names: [String]) throws(TraitdError) {
        guard let name = names.first(where: { !$0.isSegment }) else { return }
        throw .invalidArgument("Nothing is named \"\(name)\".")
    }

    /// Changes the session to match a document, as one commit (docs/documents.md).
    /// - Parameters:
    ///   - document: what `export` gives.
    ///   - manager: the name of the program that applies.
    ///   - prune: also delete what the manager has set or made and the document lacks.
    ///   - force: take over what other managers have set or made.
    ///   - plan: the ``TraitCommit/planToken`` of a dry run, to carry out exactly that plan.
    ///   - dryRun: show the plan without a commit.
    ///   - idempotencyKey: as in `transaction`.
    ///   - reason: as in `transaction`.
    /// - Throws: ``TraitdError``, or `CancellationError` when the task is cancelled.
    @discardableResult
    public func apply(
        _ document: TraitValue, manager: String, prune: Bool = false, force: Bool = false,
        plan: String? = nil, dryRun: Bool = false, idempotencyKey: String? = nil,
        reason: String? = nil
    ) async throws -> TraitCommit {
        var query = ["manager=" + manager.queryEncoded]
        if prune { query.append("prune=true") }
        if force { query.append("force=true") }
        if let plan { query.append("plan=" + plan.queryEncoded) }
        if dryRun { query.append("dryRun=true") }
        let call = Call(
            "PUT", "/apply?" + query.joined(separator: "&"), document,
            key: idempotencyKey ?? Call.newKey(), reason: reason)
        return try await decoded(call, TraitCommit.init)
    }

    /// Sends any other request below the session, such as `GET` of `/history?pageSize=5`.
    ///
    /// A write without `idempotencyKey` is sent once, since a repetition could make a second commit.
    /// - Parameters:
    ///   - method: such as `GET` or `PUT`.
    ///   - path: the path below the session with its query, from its slash on. No name in it is empty, `.` or `..`. What
    ///     cannot stand in a path is percent-encoded; `%` itself is not.
    ///   - body: the body, or nil.
    ///   - idempotencyKey: makes a write safe to repeat.
    ///   - reason: as in `transaction`.
    /// - Returns: the body of the answer; null if there is none.
    /// - Throws: ``TraitdError``, or `CancellationError` when the task is cancelled.
    @discardableResult
    public func request(
        _ method: String, _ path: String, body: TraitValue? = nil, idempotencyKey: String? = nil,
        reason: String? = nil
    ) async throws -> TraitValue {
        let isRead = Call.isRead(method)
        let call = Call(method, path, body, key: idempotencyKey, reason: reason, isRead: isRead)
        return try await client.send(call, session: name)
    }

    private func decoded<Answer>(
        _ call: Call, _ read: (TraitValue) -> Answer?
    ) async throws -> Answer {
        let body = try await client.send(call, session: name)
        guard let answer = read(body) else {
            throw TraitdError(
                code: "malformed-answer", status: 200, problem: body,
                message: "The answer lacks members that traitd's answers have.")
        }
        return answer
    }
}
