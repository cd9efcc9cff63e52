// `traitd check`: verifies that a data directory has everything that was written.

import ArgumentParser
import SessionLog
import TraitSessions

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Verify a data directory: every entry, every snapshot, every state.",
        discussion: "Exit status 0 when all is whole, 65 when something is damaged.")

    @OptionGroup var options: OfflineOptions

    func run() throws {
        let log = try options.open()
        var damaged = 0
        do throws(LogFailure) {
            for session in try log.sessions() {
                do throws(ReplayError) {
                    let loaded = try Offline.load(session, from: log)
                    let bounds = try? log.bounds(of: session)
                    let (revision, digest) = loaded.locked { (loaded.head, loaded.digest.full) }
                    print(
                        "\(session.name)  uid \(session.uid)  revision \(revision)  "
                            + "entries from \(bounds?.oldest ?? 1)  digest \(Offline.hexadecimal(digest))"
                    )
                } catch {
                    damaged += 1
                    print("\(session.name)  uid \(session.uid)  DAMAGED: \(error.description)")
                }
            }
        } catch {
            throw Offline.failure(error.reason)
        }
        if damaged > 0 {
            throw Offline.failure(
                "\(damaged) sessions are damaged; 'traitd recover --data-dir \(options.dataDir) --to …' keeps what is whole"
            )
        }
    }
}
