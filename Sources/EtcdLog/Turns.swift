// Fairness between replicas that write one session. The replica beside etcd's leader would win nearly every
// race, so the loser leaves a mark in the transaction that failed, and the winner that finds a new mark waits
// a little before its next append to that session. Only the order of efforts changes, never a result.

import Background
import SessionLog
import Synchronization

final class Turns: Sendable {
    private struct State {
        /// For each session with a mark, the revision of etcd of the newest one, and when to go on.
        var marks: [String: (seen: Int64, until: Uptime)] = [:]
        /// The usual time of an append, a moving average.
        var usual = Duration.milliseconds(2)
    }

    /// The mark of this process.
    let writer = Array(Keys.hex(MachineRandom.next()).utf8)
    private let state = Mutex(State())

    /// Marks beyond this number are forgotten; a session without one does not wait.
    private static let marksMax = 1_024
    private static let pauseMax = Duration.milliseconds(100)

    /// Blocks while it is the turn of another replica.
    func wait(for parts: [OutgoingPart]) {
        let now = Uptime.now
        let until = state.withLock { state in
            parts.compactMap { state.marks[$0.session.uid]?.until }.max()
        }
        guard let until, until > now else { return }
        Uptime.pause(now.duration(to: until))
    }

    func note(_ answer: EtcdAnswer, of parts: [OutgoingPart], after time: Duration) {
        state.withLock { state in
            state.usual = (state.usual * 7 + min(time, Self.pauseMax)) / 8
            // The mark is the last thing that a transaction for one session reads.
            guard answer.succeeded, parts.count == 1, let uid = parts.first?.session.uid,
                let mark = answer.found.last?.values.first, mark.value != writer,
                mark.changedAt > state.marks[uid]?.seen ?? 0
            else { return }
            if state.marks.count >= Self.marksMax { state.marks = [:] }
            var random = MachineRandom()
            let factor = Double.random(in: 1...3, using: &random)
            let pause = min(state.usual * factor, Self.pauseMax)
            state.marks[uid] = (mark.changedAt, .now + pause)
        }
    }
}
