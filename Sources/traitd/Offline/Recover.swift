// `traitd recover`: copies the intact part of a damaged data directory into a new one. The damaged
// directory does not change, so a try loses nothing.

import ArgumentParser
import Glibc
import SQLiteLog
import SessionLog
import TraitSessions

struct Recover: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy what is whole of a damaged data directory into a new one.",
        discussion: """
            Each session is kept up to the first revision that cannot be verified. What is lost is listed. A \
            session that may have lost commits gets a new uid, so that tokens and entity tags of lost revisions \
            fit nothing. \
            Exit status: 0 when nothing is lost; 65 when commits are lost or may be, when entries do not lead to \
            the states that they say, or when no session can be read; 71 when memory is too small for it; 73 when a directory cannot be used; 74 when the output cannot be written. When \
            no session can be read, another version wrote one, or the new directory cannot be written as a \
            whole, it is not made.
            """)

    @Option(
        help: ArgumentHelp("The data directory. No server may be using it.", valueName: "path"),
        completion: .directory)
    var dataDir: String

    @OptionGroup var progress: ProgressOptions

    @Option(
        help: ArgumentHelp(
            "The new data directory; it must not be there. Copies lie beside it meanwhile.",
            valueName: "path"), completion: .directory)
    var to: String

    func run() throws {
        Unfinished.takeOver()
        if access(to, F_OK) == 0 {
            throw Fault(
                "'\(to)' is there already; name a directory that is not", code: Exit.cannotCreate)
        }
        let parent = Offline.folder(of: to)
        if access(parent, W_OK | X_OK) != 0 {
            throw Fault(
                "'\(parent)' cannot be written to: \(Fault.reason(errno))", code: Exit.cannotCreate)
        }
        let copy = try PartialDirectory(to, kind: "copy")
        var line: ProgressLine?
        let salvage = try Salvage(path: dataDir, copyingTo: copy.path) { done, total in
            let shown = line ?? ProgressLine("copying \(dataDir)", total: total, progress)
            line = shown
            shown.show(done)
        }
        line = nil
        for loss in salvage.losses { try printLine("lost: \(loss)") }
        // A directory that never had a session has no losses, and its copy is empty too.
        if salvage.sessions.isEmpty, !salvage.losses.isEmpty {
            throw Fault(
                "no session in '\(dataDir)' can be read, and '\(to)' was not made; "
                    + "restore a backup with 'traitd import'")
        }
        let directory = try PartialDirectory(to)
        var recovery = Recovery(salvage, into: try directory.open(), progress)
        do {
            try recovery.run()
        } catch let error where !(error is Fault) {
            let reason = (error as? LogFailure)?.reason ?? "\(error)"
            guard (error as? ReplayError)?.cause == .unsupported else {
                throw Fault("\(reason). '\(to)' was not made", code: Exit.code(of: error))
            }
            throw Fault(
                "\(reason) '\(to)' was not made; 'traitd recover' of that version keeps what is "
                    + "whole"
            )
        }
        try directory.publish(recovery.log)
        if !recovery.unreplayed.isEmpty {
            let names = recovery.unreplayed.map { "'\($0)'" }.joined(separator: ", ")
            throw Fault(
                "the entries of \(names) are whole, and do not lead to the states that they say; "
                    + "restore a backup of what was not kept")
        }
        if salvage.hasLost {
            throw Fault(
                "commits are lost; '\(to)' has what is whole, and the lines above name the sessions that may "
                    + "lack commits. Restore a backup of what is missing")
        }
        withExtendedLifetime(copy) {}
    }
}
