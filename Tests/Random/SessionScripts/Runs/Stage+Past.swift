// Reads of a script's revisions are remembered as the revisions are made. In the end each revision that can be read
// is rebuilt, of the session over a log, of one that was opened from that log anew, and of a session without a log.

import JSONCodec
import SeededRandom
import SessionLog
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

/// Confined to its run.
final class PastMemory {
    struct Answers {
        let reads: [UInt8]
        let digest: StateDigest
    }

    /// By session, then by revision.
    fileprivate var answers: [String: [Int64: Answers]] = [:]
}

extension Stage {
    private static let readsPerRevision = 5

    /// Remembers what the newest revisions answer.
    func remember() {
        for session in [leader, copy] {
            let revision = session.head
            guard past.answers[session.name]?[revision] == nil else { continue }
            past.answers[session.name, default: [:]][revision] = answers(of: session, revision)
        }
    }

    private func answers(of session: Session, _ revision: Int64) -> PastMemory.Answers {
        PastMemory.Answers(
            reads: Reads.answers(
                of: session, seed: seed &+ UInt64(revision), count: Self.readsPerRevision,
                withCommits: false),
            digest: session.digest)
    }

    /// Compares a hundred reads of the past, at random revisions.
    func comparePast(_ random: inout SeededRandom) throws {
        let opened = SessionStore(
            limits: Self.limits, environment: clock.environment(seed: seed), log: log)
        try opened.openAll()
        let again = try known(opened.find(leader.name))
        for _ in 0..<(100 / (3 * Self.readsPerRevision) + 1) {
            try compare(leader, client.store, random.next(), isWhole: true)
            // Opened from a snapshot, the session retains the commits after it.
            try compare(again, opened, random.next(), isWhole: false)
            try compare(copy, copier.store, random.next(), isWhole: false)
        }
    }

    private func compare(
        _ session: Session, _ store: SessionStore, _ random: UInt64, isWhole: Bool
    ) throws {
        let revision = Int64(random % UInt64(session.head)) + 1
        let oldest = session.withState { $0.oldestPast.revision }
        let found: Session
        do throws(SessionError) {
            found = try PastReader.session(at: revision, of: session, in: store)
        } catch {
            try expect(
                error.code == .historyGone && revision < oldest && !isWhole,
                "revision \(revision) cannot be read, although \(oldest) is the oldest: \(error.detail)"
            )
            count("gone revision")
            return
        }
        guard let expected = past.answers[session.name]?[revision] else { return }
        let read = answers(of: found, revision)
        try expect(read.digest == expected.digest, "revision \(revision) has another digest")
        try expectEqual(expected.reads, read.reads, "reads of the past at revision \(revision)")
        count("past revision")
    }
}

/// Reads the past as a request does that waits.
package enum PastReader {
    /// The session at a revision, once it is rebuilt.
    package static func session(
        at revision: Int64, of session: Session, in store: SessionStore
    ) throws(SessionError) -> Session {
        let revision = try session.withState { state throws(SessionError) in
            try state.pastRevision(.revision(revision))
        }
        while true {
            switch try store.past.state(of: session, at: revision, for: nil) {
            case .found(let session): return session
            case .wait(let response):
                if case .refused(let error) = response.waitForDecision() { throw error }
            }
        }
    }
}
