// A request to create a session or to find it, carried out in steps: a session of a million nodes
// is filled a slice at a time, away from the shards. The store gets the session when its first
// commit is complete.

import JSONCodec
import SessionLog
import TraitEngine
import TraitJSON

/// The outcome of a request for a session.
package enum CreatedSession: Sendable {
    /// A present session that agrees with the request.
    case found(Session)
    /// A new session. `body` is the body of its answer, which waits for `response`.
    case created(Session, body: [UInt8], response: PendingResponse?)
}

package final class SessionCreation {
    /// The parts of a request beside its body.
    package struct Order: Sendable {
        /// The session's name in the request's target; nil for a request that must create a
        /// session.
        package var name: String?
        /// Whether a present session is refused, by a condition of the request.
        package var wantsNew = false
        /// Whether a missing session is refused, by the request's `If-Match`.
        package var wantsExisting = false
        /// The name that the body has to agree with, where that is not the session's.
        package var documentName: String?
        /// Whether a present session is refused even where the body agrees with it.
        package var mustCreate = false
        package var options = CommitOptions()
        /// The names that the caller may give; nil for any.
        package var scope: SessionScope?

        package init() {}
    }

    package let order: Order
    private let store: SessionStore
    private let text: TextBuffer
    private var draft: Draft?

    /// A session that is being filled.
    private struct Draft {
        let state: SessionState
        var opened: SessionState.OpenCommit
        var nodes: JSONElements?
        var position = 0
        var controllers = ListedControllers()
    }

    /// - Parameter text: where the log entry is written.
    package init(_ order: Order, _ store: SessionStore, text: TextBuffer = TextBuffer()) {
        self.order = order
        self.store = store
        self.text = text
    }

    /// Nodes created in one step: about a millisecond of work.
    package static let nodesAtATime = 1_000

    /// Takes one step. Returns nil while there is more to do.
    ///
    /// - Parameter json: the same body in every step.
    /// - Throws: why the body, a present session or the log forbids the request. Nothing is created
    ///   then.
    package func step(_ json: JSONValue) throws(SessionError) -> CreatedSession? {
        guard var draft else {
            let body = try SessionBody(json, limits: store.limits)
            if let present = try find(body) { return .found(present) }
            do throws(SessionError) {
                self.draft = try begin(body)
            } catch {
                throw error.ofDocument
            }
            return nil
        }
        self.draft = nil
        do throws(SessionError) {
            if try fill(&draft) {
                self.draft = draft
                return nil
            }
        } catch {
            throw error.ofDocument
        }
        guard let created = try finish(draft) else {
            // Another request has created a session of the name since.
            return try step(json)
        }
        return created
    }

    // MARK: - Finding

    private func find(_ body: SessionBody) throws(SessionError) -> Session? {
        let given = try body.name()
        if let name = order.documentName ?? order.name {
            try ObjectReader.check(given, "name", agreesWith: name)
        }
        if let scope = order.scope, let name = order.name ?? given, !scope.contains(name) {
            throw .outside(scope, "'\(name)' is none of them.")
        }
        guard let name = order.name ?? given, let present = try store.findOrOpen(name) else {
            if order.wantsExisting {
                throw SessionError(
                    .revisionMismatch,
                    "There is no session '\(order.name ?? given ?? "")' that If-Match could match."
                )
            }
            return nil
        }
        try check(present, body)
        return present
    }

    /// - Throws: why the present session is not the one that the request describes.
    private func check(_ session: Session, _ body: SessionBody) throws(SessionError) {
        guard order.name != nil, !order.mustCreate else { throw .exists(session.name) }
        // While a long write owns the session, no request waits for its revision.
        if order.wantsNew {
            throw SessionError(
                .revisionMismatch,
                "There is a session '\(session.name)' already, and the request asks for a new one."
            ).with("currentRevision", session.headOrRecall())
        }
        let condition = order.options.condition
        if condition.ifMatch != nil || condition.ifNoneMatch != nil {
            let head = session.headOrRecall()
            guard condition.allowsTags(uid: session.uid, revision: head) else {
                throw SessionError.movedOn(condition, uid: session.uid, revision: head)
            }
        }
        if body.hasContent { throw .exists(session.name) }
        let present = session.configuration
        guard body.agrees(with: present) else {
            throw SessionError(
                .sessionDiffers,
                "The session '\(session.name)' exists with propagation \(present.propagation.rawValue), updates \(present.updates.rawValue) and other settings than the body's. Leave them out, or delete it first."
            )
        }
    }

    // MARK: - Filling

    private func begin(_ body: SessionBody) throws(SessionError) -> Draft {
        try store.checkRoom()
        try store.checkReaders(format: body.configuration.neededFormat)
        let memory = store.environment.memory
        guard memory.admit(order.options.requestBytes * 2 + SessionHolding.emptyBytes) else {
            throw SessionError(memory.shortage)
        }
        let given = try body.name()
        let name: String
        if let known = order.name ?? given { name = known } else { name = try madeName() }
        let state = store.makeState(name, body.configuration)
        state.upkeep.holding.owner = order.options.caller
        var opened = state.open(text, time: state.createdAt, cause: order.options.cause)
        let nodes = try body.nodes()
        try body.define(&opened.transaction)
        return Draft(state: state, opened: opened, nodes: nodes)
    }

    /// A name that the caller may give.
    private func madeName() throws(SessionError) -> String {
        let random = store.environment.name(length: 12)
        guard let scope = order.scope, !scope.coversAll else { return random }
        guard let name = scope.name(with: random) else {
            throw .outside(scope, "Give one of these as `name`.")
        }
        return name
    }

    /// Creates the next nodes. Returns whether there may be more.
    private func fill(_ draft: inout Draft) throws(SessionError) -> Bool {
        var count = 0
        while count < Self.nodesAtATime, let json = draft.nodes?.next() {
            do throws(SessionError) {
                let body = try NodeBody(json, .listed)
                let id = try body.requiredIdentifier()
                try draft.controllers.create(
                    id, body, at: draft.position, &draft.opened.transaction)
                if let ends = json.member("expiresAt") {
                    try draft.opened.transaction.setEnds(ends, of: json, id)
                }
            } catch {
                let error = error.prefixed("/nodes/\(draft.position)")
                guard let rest = draft.nodes else { throw error }
                throw error.withFaults(of: rest, from: draft.position + 1, in: "/nodes") {
                    json throws(SessionError) in try NodeBody(json, .listed).check()
                }
            }
            draft.opened.transaction.dropTextThatNoLogKeeps()
            draft.position += 1
            count += 1
        }
        try draft.state.checkGrowth()
        if count == Self.nodesAtATime { return true }
        try draft.controllers.link(&draft.opened.transaction)
        try store.checkReaders(format: draft.opened.transaction.neededFormat)
        return false
    }

    // MARK: - Finishing

    /// Commits, and adds the session to the store. Nil when another session took the name first.
    private func finish(_ draft: Draft) throws(SessionError) -> CreatedSession? {
        let state = draft.state
        var json = JSONWriter()
        // From `insert` on, requests find the session and wait for the log.
        var wakes = WakeList()
        defer { wakes.wake() }
        let decided = try state.complete(
            draft.opened, isDryRun: order.options.dryRun, wakes: &wakes
        ) { _, _ in
            state.write(isDryRun: order.options.dryRun, into: &json)
            json.newline()
            return nil
        }
        let body = json.array()
        guard let commit = decided.commit else {
            if store.find(state.name) != nil { return nil }
            return .created(Session(state), body: body, response: nil)
        }
        guard let writer = store.writer else {
            state.show(commit, wakes: &wakes)
            let session = store.own(state)
            guard try store.insert(session) else { return nil }
            store.meters.add(.commits, stripe: wakes.stripe)
            return .created(session, body: body, response: nil)
        }
        state.enqueue(commit, notesDigestBefore: decided.notesDigestBefore)
        let response = PendingResponse(revision: 1, hasCommit: true)
        state.queue.add(response)
        let session = store.own(state)
        guard try store.insert(session) else { return nil }
        writer.submit(session)
        return .created(session, body: body, response: response)
    }
}

extension SessionError {
    /// The error in a document that makes a session. It suggests no request that changes a session, since the
    /// session does not exist.
    package var ofDocument: SessionError {
        var error = self
        error.others = others.map(\.ofDocument)
        error.hint = nil
        switch hint {
        case .changeNode(let node):
            error.detail = "An earlier node of the document has the id '\(node)'. Each has its own."
        case .defineDynamic(let member): error.detail += " Define it in `\(member)`."
        case .defineEnvironmentKey: error.detail += " Define it in `environmentKeys`."
        case .listTraits, .listSystemTraits: error.hint = .listSystemTraits
        case .createSession, .createNode, .readTrait, .setScope, .listDevices, nil: break
        }
        return error
    }
}
