// Writes of random scripts to sessions of their own: operations of all kinds, made from what the replica has. The cause
// of a commit names its write, as nothing else in it does.

import JSONCodec
import SeededRandom
import SessionScripts
import TraitJSON
import TraitSessions

extension World {
    /// The sessions for scripts of a seed, and what makes them.
    static func scripted(_ seed: UInt64) -> [(name: String, body: String)] {
        guard seed % kinds == 0 else { return [] }
        var random = SeededRandom(seed: seed, for: "scripted")
        return (0..<1 + random.below(2)).map { number in
            var generator = ScriptGenerator(seed: random.next())
            return ("x\(number)", generator.creation())
        }
    }
}

/// Where the cause of a commit says which write it is.
enum WriteMark {
    static func cause(of value: Int) -> String { #"{"requestId":"q\#(value)"}"# }

    /// The write that the cause of an entry names.
    static func value(in entry: JSONValue) -> Int? {
        let name = entry.member("cause")?.member("requestId")?.string?.string ?? ""
        return name.hasPrefix("q") ? Int(name.dropFirst()) : nil
    }
}

extension Handler {
    /// What a script writes next.
    ///
    /// - Parameter number: of the script.
    func nextWrite(_ number: UInt64, of value: Int, to session: Session) -> Write {
        let client = SessionScripts.Client(store)
        var generator = ScriptGenerator(seed: number)
        var write = generator.next(session) { attempt in
            if case .refused = client.send(attempt, to: session) { false } else { true }
        }
        write.dryRun = false
        write.cause = WriteMark.cause(of: value)
        return write
    }

    func decide(_ write: Write, in session: Session) throws(SessionError) -> WriteResult {
        switch SessionScripts.Client(store).send(write, to: session) {
        case .done(let outcome): return .done(outcome, head: outcome.revision)
        case .pending(let response): return .pending(response)
        case .refused(let error): throw error
        }
    }
}
