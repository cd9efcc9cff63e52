// An entry at the end of a world whose checksums are right and which leads to another state than it says: only the digest
// can show that, and a replay has to compare it.

import Background
import SessionLog
import Simulated
import TraitSessions

extension World {
    func forge() {
        guard let running = replicas[0].running, let log = running.log else {
            found("the store is gone")
        }
        let name = sessions[0]
        let value = history.makeValue()
        let exchange = Exchange(scheduler, to: running, way: (1_000, 1_000)) {
            [self] running -> Bool in
            do throws(LogFailure) {
                guard let session = try log.session(named: name), let forged = entry(value) else {
                    return true
                }
                let part = LogAppend(
                    session: session, entries: [forged], expecting: forged.revision - 1)
                // The end of a value may come before it.
                guard log.append([part]) == [.appended] else { return true }
                tally.add("forged entries")
                return !isLoadable(session, from: log, running)
            } catch {
                found("the log of '\(name)' is not readable: \(error)")
            }
        }
        if exchange.wait(until: .max) == false { found("a forged entry of '\(name)' is served") }
    }

    /// The newest write of the first session once more, with another value.
    private func entry(_ value: Int) -> LogEntry? {
        let entries = (entries.byName[sessions[0]] ?? []).compactMap(\.self)
        guard let last = entries.last else { return nil }
        for entry in entries.reversed() {
            let text = String(decoding: entry.payload, as: UTF8.self)
            guard text.contains(#""op":"setOverride""#), text.contains(#""trait":"w""#) else {
                continue
            }
            let forged = text.replacing(/"value":\d+/, with: #""value":\#(value)"#)
            return LogEntry(
                revision: last.revision + 1, time: last.time, payload: Array(forged.utf8),
                after: last.checksum)
        }
        return nil
    }

    private func isLoadable(
        _ session: LogSession, from log: any SessionLog, _ running: RunningReplica
    ) -> Bool {
        do throws(ReplayError) {
            _ = try Session.load(
                session, from: log, limits: limits, environment: environment(of: running.process))
            return true
        } catch {
            return false
        }
    }
}
