// What a registration was asked for by name is a part of the state: a copy whose registrations were
// asked for otherwise has another digest, even when they hear the same traits.

import SessionLog
import SessionLogTestSupport
import SessionScripts
import Testing

@testable import SessionViews
@testable import TraitSessions

@Suite("What registrations were asked for")
struct AskedTraitsTests {
    /// The digest, without uid and times, of a session with one registration for these traits.
    private func digest(_ traits: String) throws -> UInt64 {
        let log = MemoryLog()
        let process = Process(log, seed: 5)
        let session = try process.session()
        try process.commit(
            #"{"op":"createNode","node":"s","kind":"windowScene"},"#
                + #"{"op":"register","registration":"r","node":"s","traits":[\#(traits)]}"#,
            session)
        let restored = try Session.load(
            session.logSession, from: log, limits: .quiet,
            environment: session.environment)
        #expect(restored.digest == session.digest)
        try process.commit(#"{"op":"deleteNode","node":"s"}"#, session)
        let empty = try process.session("empty")
        #expect(session.digest.content == empty.digest.content)
        return restored.digest.content
    }

    @Test("Sets and traits beside them count, in any order; the registration's end takes them back")
    func digests() throws {
        let set = #""systemTraitsAffectingImageLookup""#
        let both = try digest(#"\#(set),"displayScale""#)
        #expect(try digest(#""displayScale",\#(set)"#) == both)
        #expect(try digest(set) != both)
        #expect(try digest(#"\#(set),"layoutDirection""#) != both)
        #expect(try digest(#"\#(set),"all""#) != (try digest(#""all""#)))
    }
}
