// Sends a script's writes to a session, as endpoints do.

import Background
import JSONCodec
import SessionLog
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions
import Waiting

/// Confined to its thread.
package final class Client {
    package enum Answer {
        case done(CommitOutcome)
        case pending(PendingResponse)
        case refused(SessionError)
    }

    package let store: SessionStore
    private let tape = JSONTape(limits: JSONLimits(depthMax: 64))
    private let text = TextBuffer()

    package init(_ store: SessionStore) { self.store = store }

    /// What `PUT` of a session comes to, once the log has answered.
    package func create(
        _ name: String, _ body: String, options: CommitOptions = CommitOptions()
    ) throws -> Session {
        var order = SessionCreation.Order()
        order.name = name
        order.options = options
        while true {
            let created = try withDocument(body) { json throws(SessionError) -> CreatedSession in
                let creation = SessionCreation(order, self.store, text: self.text)
                while true { if let made = try creation.step(json) { return made } }
            }
            switch created {
            case .found(let session): return session
            case .created(let session, _, let response):
                guard let response else { return session }
                switch Wait.until([response]).first {
                case .released: return session
                case .refused(let error): throw error
                case .readAgain: continue
                default: throw Differs("the creation of '\(name)' was never decided")
                }
            }
        }
    }

    package func send(_ write: Write, to session: Session) -> Answer {
        do throws(SessionError) {
            return try decode(write, session) { proposal throws(SessionError) in
                try self.commit(proposal, to: session)
            }
        } catch {
            return .refused(error)
        }
    }

    /// Sends a write, and waits for the queue and the log.
    package func sendAndWait(_ write: Write, to session: Session) -> Answer {
        let answer = send(write, to: session)
        return if case .pending(let response) = answer { settled(response) } else { answer }
    }

    /// Sends a proposal, through the session's queue where it cannot be decided at once. What is queued
    /// without a log is waited for.
    private func commit(
        _ proposal: Proposal, to session: Session
    ) throws(SessionError) -> Answer {
        var body = JSONWriter()
        var wakes = WakeList()
        defer { wakes.wake() }
        let isLong: Bool
        switch try session.commit(proposal, text: text, body: &body, wakes: &wakes) {
        case .done(let outcome, _): return .done(outcome)
        case .held(_, _, let response), .pending(let response): return .pending(response)
        case .mustWait: isLong = false
        case .takesLong: isLong = true
        }
        let response = session.queue(proposal, isLong: isLong)
        return session.log == nil ? settled(response) : .pending(response)
    }

    private func settled(_ response: PendingResponse) -> Answer {
        switch Wait.until([response])[0] {
        case .refused(let error): .refused(error)
        case .released: response.outcome.map { .done($0) } ?? .pending(response)
        case .pending, .readAgain: .pending(response)
        }
    }

    /// Ends the session. Returns whether the log has acknowledged the end.
    package func delete(_ session: Session) throws(SessionError) -> Bool {
        var wakes = WakeList()
        var body = JSONWriter()
        let options = CommitOptions()
        defer { wakes.wake() }
        let response: PendingResponse
        switch try session.delete(options, text: text, body: &body, wakes: &wakes) {
        case .done: return true
        case .held(_, _, let held), .pending(let held): response = held
        case .mustWait, .takesLong: response = session.queueEnd(options)
        }
        if case .released = Wait.until([response])[0] { return true }
        return false
    }

    /// Sends operations as a transaction, and waits for the log.
    package func transaction(
        _ operations: String, to session: Session, ifRevision: Int64? = nil
    ) throws(SessionError) -> CommitOutcome? {
        while true {
            let answer = try withDocument(operations) { list throws(SessionError) -> Answer in
                var proposal = Proposal(.many(list))
                proposal.options.condition.ifRevision = ifRevision
                return try self.commit(proposal, to: session)
            }
            switch answer {
            case .done(let outcome): return outcome
            case .refused(let error): throw error
            case .pending(let response):
                switch Wait.until([response])[0] {
                case .released: return response.outcome
                case .refused(let error): throw error
                case .pending: return nil
                case .readAgain: continue
                }
            }
        }
    }

    package func withDocument<R>(
        _ text: String, _ body: (JSONValue) throws(SessionError) -> R
    ) throws(SessionError) -> R {
        try tape.withDocument(of: Array(text.utf8), refusal: SessionError.init, body)
    }

    private func decode<R>(
        _ write: Write, _ session: Session, _ body: (Proposal) throws(SessionError) -> R
    ) throws(SessionError) -> R {
        var options = CommitOptions()
        options.dryRun = write.dryRun
        options.changes = write.changes
        options.wantsNew = write.wantsNew
        options.cause = write.cause.map { Array($0.utf8) } ?? []
        let head = session.withState { $0.head }
        if let ahead = write.ifMatch {
            options.condition.ifMatch = ListedStates(
                ["x.1", "\(session.uid).\(head + ahead)"])
        }
        if let ahead = write.ifRevision { options.condition.ifRevision = head + ahead }
        switch write.form {
        case .transaction(let list):
            let text = "[" + list.joined(separator: ",") + "]"
            return try withDocument(text) { json throws(SessionError) in
                try body(Proposal(.many(json), options))
            }
        case .one(let operation):
            return try withDocument(operation) { json throws(SessionError) in
                try body(Proposal(.one(try Operation(json)), options))
            }
        case .putNode(let id, let text):
            return try withDocument(text) { json throws(SessionError) in
                try named(id) { name throws(SessionError) in
                    let node = try NodeBody(json)
                    return try body(
                        Proposal(.one(.putNode(Reference(name), node)), options, answer: .node(id)))
                }
            }
        case .patch(let isSupplied, let node, let text):
            return try withDocument(text) { json throws(SessionError) in
                try named(node) { name throws(SessionError) in
                    let layer: ValueLayer = isSupplied ? .supplied : .overrides
                    return try body(
                        Proposal(
                            .one(.patchValues(layer, Reference(name), json)), options,
                            answer: .node(node)))
                }
            }
        case .putRegistration(let id, let text):
            return try withDocument(text) { json throws(SessionError) in
                let registration = try RegistrationBody(json)
                try registration.check()
                return try body(
                    Proposal(
                        .one(.putRegistration(id, registration)), options,
                        answer: .registration(id)))
            }
        }
    }

    private func named<R>(
        _ name: String, _ body: (UnsafeRawBufferPointer) throws(SessionError) -> R
    ) throws(SessionError) -> R {
        try Array(name.utf8).withUnsafeBufferPointer { bytes throws(SessionError) in
            try body(UnsafeRawBufferPointer(bytes))
        }
    }
}

/// Waits for answers that wait for a log.
package enum Wait {
    /// What each came to; `pending` for one that was not decided within the time.
    package static func until(
        _ responses: [PendingResponse], within seconds: Double = 30
    ) -> [PendingResponse.Decision] {
        let deadline = Deadline(within: .seconds(seconds))
        return responses.map { response in
            while true {
                let decision = response.waitForDecision(
                    until: Uptime.monotonic(after: .seconds(deadline.secondsLeft)))
                if case .pending = decision, !deadline.hasPassed { continue }
                return decision
            }
        }
    }
}
