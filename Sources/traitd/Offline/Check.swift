// `traitd check`: verifies that a log has everything that was written.

import ArgumentParser
import SQLiteLog
import SessionLog
import SessionViews
import TraitSessions

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Verify a log: every entry, every snapshot, every state.",
        discussion: """
            Exit status: 0 when all is whole; 66 when a log that servers share has no session; 65 when something is damaged, or a later release wrote the \
            log, or when nothing proves that all of it is there; 71 when memory is too small for it; 74 when the output cannot be written; 73 when the log cannot be used, for example because a server uses \
            the directory or etcd does not answer. Servers may go on with a log that they share.
            """)

    @OptionGroup var options: ReadableLogOptions
    @OptionGroup var progress: ProgressOptions

    func run() throws {
        let log = try options.open()
        var damaged = 0
        let sessions = try options.sessions(of: log)
        let line = ProgressLine(
            "checking \(options.place)", .sessions, total: sessions.count, progress)
        for (number, session) in sessions.enumerated() {
            line.show(number)
            let found = try Self.findings(on: session, in: log, line)
            if found.isDamaged { damaged += 1 }
            ProgressLine.erase()
            try printLine("\(session.name)  uid \(session.uid)  \(found.text)")
        }
        if let reason = (log as? SQLiteLog)?.opening.unproved { throw Fault(reason) }
        if damaged > 0 {
            let subject = damaged == 1 ? "1 session is" : "\(damaged) sessions are"
            guard let dataDir = options.dataDir else { throw Fault("\(subject) damaged") }
            throw Fault(
                "\(subject) damaged; 'traitd recover --data-dir \(dataDir) --to …' keeps what is whole"
            )
        }
    }

    private static func findings(
        on session: LogSession, in log: any SessionLog, _ line: ProgressLine
    ) throws -> (text: String, isDamaged: Bool) {
        let loaded: Session
        do throws(ReplayError) {
            loaded = try Offline.load(session, from: log, line)
        } catch {
            guard error.cause == .damaged else { throw error }
            return ("DAMAGED: \(error.description)", true)
        }
        do throws(LogFailure) {
            if let disk = log as? SQLiteLog {
                try disk.verifySnapshots(of: session)
            } else {
                // Reading it verifies it.
                _ = try log.newestSnapshot(of: session)
            }
        } catch {
            guard case .damaged = error.kind else { throw error }
            return ("DAMAGED: \(error.reason)", true)
        }
        let bounds = try log.bounds(of: session)
        let (revision, digest) = loaded.withState { ($0.head, $0.digest.full) }
        let text =
            "revision \(revision)  entries from \(bounds?.oldest ?? 1)  "
            + "digest \(Offline.hexadecimal(digest))"
        return (text, false)
    }
}
