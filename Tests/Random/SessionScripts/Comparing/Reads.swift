// Random reads, as clients make them: sessions of the same state answer all of them alike.

import JSONCodec
import SeededRandom
import SessionViews
import TraitEngine
import TraitSessions

package enum Reads {
    /// The answers to so many reads that follow from the seed.
    ///
    /// - Parameter withCommits: whether some reads are of retained commits.
    package static func answers(
        of session: Session, seed: UInt64, count: Int = 100, withCommits: Bool = true
    ) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        var json = JSONWriter(capacity: 16_384)
        session.withState { state in
            for _ in 0..<count { answer(state, &random, withCommits, into: &json) }
        }
        return json.array()
    }

    private static func answer(
        _ session: SessionState, _ random: inout SeededRandom, _ withCommits: Bool,
        into json: inout JSONWriter
    ) {
        let hierarchy = session.hierarchy
        let name = random.pick(ScriptGenerator.nodes) ?? ""
        let roll = random.below(10)
        var listing = TraitListing()
        listing.specified = random.chance(30)
        listing.explain = random.chance(40)
        listing.absent = listing.explain && random.chance(50)
        listing.pending = listing.explain && random.chance(40)
        let revision = Int64(random.below(Int(session.head) + 1))
        let id = random.pick(ScriptGenerator.registrations) ?? ""
        json.newline()
        if roll == 0, withCommits, let commit = session.retained[revision] {
            return commit.write(operationsInFull: true, into: &json)
        }
        if roll == 1, let registration = hierarchy.registration(named: id) {
            return session.write(registration, into: &json)
        }
        guard let node = hierarchy.node(name) else { return json.value("none" as StaticString) }
        if roll == 2 {
            NodeWriter.write(node, of: session, into: &json)
            return
        }
        json.beginObject()
        session.writeHead(node, into: &json)
        session.writeTraits(hierarchy.definitions.settable, at: node, listing, into: &json)
        json.endObject()
    }
}
