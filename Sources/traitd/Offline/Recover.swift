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
        discussion:
            "Each session is kept up to the first revision that cannot be verified. What is lost is listed."
    )

    @OptionGroup var options: OfflineOptions

    @Option(help: ArgumentHelp("The new data directory; it must not be there.", valueName: "path"))
    var to: String

    func run() throws {
        if access(to, F_OK) == 0 {
            throw Offline.failure(
                "'\(to)' is there already; name a directory that is not", code: 73)
        }
        let salvage: Salvage
        do throws(LogFailure) {
            salvage = try Salvage(path: options.dataDir)
        } catch {
            throw Offline.failure(error.reason)
        }
        for loss in salvage.losses { print("lost: \(loss)") }
        var limits = ServiceLimits()
        limits.minFreeDisk = 0
        let log = try DataStore.open(to, limits: limits, OfflineOptions.logger)
        for saved in salvage.sessions { try copy(saved, into: log) }
        log.end()
    }

    /// Copies a session as far as it can also be replayed.
    private func copy(_ saved: SalvagedSession, into log: SQLiteLog) throws {
        let session = saved.session
        var entries = saved.entries[...]
        do throws(LogFailure) {
            if let snapshot = saved.snapshot { try log.install(session, at: snapshot) }
            while !entries.isEmpty {
                let part = Array(entries.prefix(Self.entriesAtATime))
                entries = entries.dropFirst(part.count)
                let result = log.append([
                    LogAppend(
                        session: session, entries: part, expecting: part[0].revision - 1)
                ])
                guard result == [.appended] else {
                    throw LogFailure(.unavailable, "'\(session.name)' cannot be written: \(result)")
                }
            }
        } catch {
            throw Offline.failure(error.reason, code: 73)
        }
        do throws(ReplayError) {
            _ = try Offline.load(session, from: log)
        } catch {
            print("NOT KEPT as it cannot be replayed: \(error.description)")
            throw Offline.failure(
                "'\(session.name)' is whole, and its entries do not lead to the states that they say; restore a backup"
            )
        }
        print(
            "kept: \(session.name)  uid \(session.uid)  through revision \(saved.head)"
                + (saved.newestSeen > saved.head
                    ? "  LOST: revisions \(saved.head + 1) to \(saved.newestSeen)" : ""))
    }

    private static let entriesAtATime = 1_000
}
