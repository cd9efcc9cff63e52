// `traitd log adopt`: gives every session of the log that servers share a new uid, after etcd was restored or replaced.

import ArgumentParser
import EtcdLog
import SessionLog
import SessionViews
import TraitSessions

struct LogAdopt: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adopt",
        abstract:
            "Take a log over whose etcd was restored from a snapshot or moved to another cluster.",
        discussion: """
            What was written after the snapshot is lost, and servers may have shown it. So each session gets a new \
            uid: stream tokens, entity tags and idempotency keys of the lost commits fit nothing. Sessions keep \
            their state and their revision and lose their history. Stop all servers first. When the command is \
            ended in the middle, servers refuse the log until it has been run again; nothing is lost.

            Exit status: 0 when all sessions are adopted; 64 without --yes; 65 when a session cannot be read, which \
            keeps its uid; 71 when memory is too small; 74 when the output cannot be written; 73 when servers use the log or etcd does not answer.
            """)

    @OptionGroup var options: NamedLogOptions
    @OptionGroup var progress: ProgressOptions

    @Flag(help: "Confirm that all servers are stopped.")
    var yes = false

    func run() throws {
        let adoption = try EtcdAdoption(try options.settings())
        guard adoption.replicas.isEmpty else {
            throw Fault(
                "servers use the log: \(adoption.replicas.joined(separator: " ")). Stop them; one that was killed counts until its lease in etcd ends",
                code: Exit.cannotCreate)
        }
        let refused = Dictionary(
            adoption.refused.map { ($0.session.uid, $0.failure) }, uniquingKeysWith: { $1 })
        let sessions = try adoption.log.sessions().filter { refused[$0.uid] == nil }
        guard yes else {
            throw Fault(
                [
                    adoption.suspicion
                        ?? "etcd looks as it was; a restore under the same cluster id cannot be seen",
                    "\(sessions.count) sessions would get new uids and lose their history",
                    "stop all servers, and run this again with --yes",
                ], code: ExitCode.validationFailure.rawValue)
        }
        try adoption.begin()
        let line = ProgressLine("adopting sessions", .sessions, total: sessions.count, progress)
        var unwritten: Fault?
        var kept = adoption.refused.map { ($0.session, $0.failure.reason) }
        for (number, session) in sessions.enumerated() {
            line.show(number)
            guard let (renewed, snapshot) = try Self.renewed(session, in: adoption.log, line, &kept)
            else {
                continue
            }
            try adoption.replace(session, with: renewed, at: snapshot)
            ProgressLine.erase()
            do throws(Fault) {
                try printLine(
                    "\(session.name)  uid \(renewed.uid), was \(session.uid)  revision \(snapshot.revision)"
                )
            } catch {
                // The others are adopted all the same: servers refuse a log that is half adopted.
                unwritten = error
            }
        }
        try adoption.finish()
        adoption.log.close()
        if let unwritten { throw unwritten }
        guard kept.isEmpty else {
            throw Fault(
                kept.map { "'\($0.name)' cannot be read, and keeps its uid \($0.uid): \($1)" })
        }
    }

    /// A session under a new uid; nil for one that is damaged, which is noted.
    private static func renewed(
        _ session: LogSession, in log: EtcdLog, _ line: ProgressLine,
        _ kept: inout [(LogSession, String)]
    ) throws -> (session: LogSession, snapshot: LogSnapshot)? {
        let loaded: Session
        do throws(ReplayError) {
            loaded = try Offline.load(session, from: log, line)
        } catch {
            guard error.cause == .damaged else { throw error }
            kept.append((session, error.description))
            return nil
        }
        do {
            return try Offline.renewed(loaded, line)
        } catch let failure as LogFailure {
            throw failure
        } catch {
            throw Fault(
                "'\(session.name)' cannot be copied: \(error)", code: Exit.code(of: error))
        }
    }
}
