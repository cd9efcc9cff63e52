// An apply as a write of a session, and the answer to its dry run.

import JSONCodec
import TraitJSON
import TraitSessions

/// A document that the session is to agree with.
final class PlannedApply: PlannedWrite {
    private let document: JSONValue
    private let options: ApplyOptions

    init(_ document: JSONValue, _ options: ApplyOptions) {
        self.document = document
        self.options = options
    }

    var manager: String? { options.manager }

    var origin: [UInt8] {
        CommitOrigin.apply.text { $0.member("manager", ifPresent: options.manager) }
    }

    func copied(into arena: OperationArena) -> any PlannedWrite {
        PlannedApply(arena.copy(document), options)
    }

    func apply(to transaction: inout Transaction) throws(SessionError) {
        do throws(SessionError) {
            var applier = try DocumentApplier(document, options)
            try applier.run(on: &transaction)
        } catch {
            throw DocumentPlaces(document).placing(error)
        }
    }
}

/// The operations of a plan, and a token for it.
///
///     {"session","uid","revision","unchanged"?,"dryRun":true,"planToken","counts":{kind: count},
///      "operations":[…],"operationsTruncated"?,"notified","ended"?,"changes":[…]}
final class PlanAnswer: PlannedAnswer {
    /// Of the document and its options.
    private let digest: UInt64

    init(_ digest: UInt64) { self.digest = digest }

    func write(
        _ opened: SessionState.OpenCommit, _ outcome: CommitOutcome, _ options: CommitOptions,
        of session: SessionState, into body: inout JSONWriter
    ) {
        session.write(outcome, isDryRun: true, showsChanges: true, into: &body) { body in
            // A dry run shows the revision that the commit would have.
            let before = outcome.isUnchanged ? outcome.revision : outcome.revision - 1
            let token = PlanToken(uid: session.uid, revision: before, digest: digest)
            body.member("planToken", token.text)
            session.writeOperations(of: opened, outcome, into: &body)
        }
    }
}

extension Proposal.Operations {
    /// Those that make the session agree with a document.
    package static func apply(_ document: JSONValue, _ options: ApplyOptions) -> Self {
        .planned(PlannedApply(document, options))
    }
}

extension Proposal.Answer {
    /// The plan of an apply, with the digest of its document and options.
    package static func plan(_ digest: UInt64) -> Self { .planned(PlanAnswer(digest)) }
}
