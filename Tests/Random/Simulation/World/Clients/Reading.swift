// What a replica does with a read, as TraitService does it.

import Background
import JSONCodec
import SessionLog
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

extension Handler {
    /// Nil when the newest revision is not known in time.
    func read(_ name: String) -> ReadAnswer? {
        let deadline = Uptime.monotonic(after: Self.waitMax)
        do throws(SessionError) {
            try confirm([name], until: deadline)
        } catch {
            return nil
        }
        while Uptime.monotonic < deadline {
            guard let session = store.find(name) else { return nil }
            switch read(session) {
            case .answer(let answer, nil): return answer
            case .answer(let answer, let response?):
                switch wait(response, deadline) {
                case .released: return answer
                case .readAgain: continue
                case .refused, .pending: return nil
                }
            case .wait(let response): _ = wait(response, deadline)
            }
        }
        return nil
    }

    enum Reading {
        case answer(ReadAnswer, PendingResponse?)
        case wait(PendingResponse)
    }

    func read(_ session: Session) -> Reading {
        func answer(_ state: SessionState) -> (ReadAnswer, PendingResponse?) {
            (
                ReadAnswer(
                    revision: state.head, digest: state.digest, values: values(of: state)),
                state.pendingResponse(until: state.head)
            )
        }
        while true {
            if let (read, response) = session.withStateIfFree({ answer($0) }) {
                return .answer(read, response)
            }
            switch session.entryWhileOwned(before: true) {
            case .free: continue
            case .before(let standIn):
                let (read, response) = standIn.withState { answer($0) }
                return .answer(read, response)
            case .wait(let response): return .wait(response)
            }
        }
    }

    /// Reads a revision that has been. Nil when it cannot be read.
    func readPast(_ name: String, at target: PastTarget) -> ReadAnswer? {
        let deadline = Uptime.monotonic(after: Self.waitMax)
        do throws(SessionError) {
            try confirm([name], until: deadline)
            guard let session = store.find(name) else { return nil }
            let (past, revision) = try past(of: session, at: target, until: deadline)
            return past.withState {
                ReadAnswer(revision: revision, digest: $0.digest, values: values(of: $0))
            }
        } catch {
            world.tally.add("past refused \(error.code)")
        }
        return nil
    }

    func past(
        of session: Session, at target: PastTarget, until deadline: UInt64
    ) throws(SessionError) -> (Session, Int64) {
        let revision = try session.withState { state throws(SessionError) in
            try state.pastRevision(target)
        }
        while Uptime.monotonic < deadline {
            switch try store.past.state(of: session, at: revision, for: nil) {
            case .wait(let response):
                if case .refused(let error) = wait(response, deadline) { throw error }
            case .found(let past): return (past, revision)
            }
        }
        throw .outcomeUnknown
    }

    /// What a session without values of clients has.
    static let noValues = [[Int]](
        repeating: [Int](repeating: 0, count: World.traits.count), count: World.nodeCount)

    /// The value that each node has of its own for each trait; 0 for none.
    private func values(of state: SessionState) -> [[Int]] {
        if world.marked.contains(state.name) { return [] }
        return (0..<World.nodeCount).map { number in
            guard let node = state.hierarchy.node("n\(number)") else { return [] }
            var json = JSONWriter()
            NodeWriter.write(node, of: state, into: &json)
            let text = json.array()
            return World.traits.map { Self.value(of: $0, in: text[...]) ?? 0 }
        }
    }

    /// The number behind the name of a trait.
    private static func value(of trait: String, in text: ArraySlice<UInt8>) -> Int? {
        let key = Array("\"\(trait)\":".utf8)
        for start in text.indices where text[start...].starts(with: key) {
            let digits = text[(start + key.count)...].prefix { $0 >= 0x30 && $0 <= 0x39 }
            return Int(String(decoding: digits, as: UTF8.self))
        }
        return nil
    }
}
