// Exports a session as a document, imports it into another store, and exports it again: both
// documents have the same bytes. So do imports of the document with its nodes in another order.

import JSONCodec
import SeededRandom
import SessionLog
import SessionLogTestSupport
import SessionViews
import TraitJSON
import TraitSessions

extension Stage {
    /// Compares the leader's document in both profiles with the document of an imported copy.
    func compareExchanged(_ random: inout SeededRandom) throws {
        for profile: DocumentWriter.Profile in [.exchange, .specified] {
            let exported = try Self.export(leader, profile)
            let log = MemoryLog()
            let store = SessionStore(
                limits: Self.limits, environment: clock.environment(seed: seed), log: log)
            let imported = try Self.import(exported, into: store, &random)
            try expectEqual(
                exported, try Self.export(imported, profile),
                "an export of \(profile) and its copy's")
            if profile == .exchange {
                try expect(
                    imported.digest.content == leader.digest.content,
                    "the digest of an imported session's content is another one")
            }
            // The document is the first entry of the copy's log, which rebuilds it.
            let loaded = try Session.load(
                LogSession(name: imported.name, uid: imported.uid), from: log,
                limits: Self.limits, environment: clock.environment(seed: seed))
            try expect(
                loaded.digest == imported.digest, "an imported session was loaded differently")
            count("imported")
            try compareShuffled(exported, profile, &random)
        }
    }

    /// An import of the nodes in another order makes the same session, and so does a request that creates one.
    private func compareShuffled(
        _ exported: [UInt8], _ profile: DocumentWriter.Profile, _ random: inout SeededRandom
    ) throws {
        func store() -> SessionStore {
            SessionStore(limits: Self.limits, environment: clock.environment(seed: seed))
        }
        let shuffled = try ShuffledDocument(exported, &random)
        let document = shuffled.text(&random)
        let imported = try Self.import(document, into: store(), &random)
        try expectEqual(
            exported, try Self.export(imported, profile),
            "an export and that of its nodes in another order, \(text(document))")
        if shuffled.hasEarlyNodes { return count("shuffled, with nodes before their parents") }
        var inOrder = SeededRandom(seed: 0)
        let creations = [
            try ShuffledDocument(exported, &inOrder).creation, shuffled.creation,
        ]
        let made = try creations.map {
            try Client(store()).create("demo", String(decoding: $0, as: UTF8.self))
        }
        try expectEqual(
            try Self.export(made[0], .specified), try Self.export(made[1], .specified),
            "sessions created with nodes in two orders, \(text(creations[1]))")
        count("shuffled")
    }

    static func export(
        _ session: Session, _ profile: DocumentWriter.Profile
    ) throws -> [UInt8] {
        try session.document(profile)
    }

    /// Imports a document in pieces of any length.
    private static func `import`(
        _ document: [UInt8], into store: SessionStore, _ random: inout SeededRandom
    ) throws -> Session {
        let reading = DocumentImport(DocumentImport.Order(), store)
        var offset = 0
        while offset < document.count {
            let end = min(
                document.count, offset + 1 + random.below(random.below(2) == 0 ? 7 : 5_000))
            try Array(document[offset..<end]).withUnsafeBytes { try reading.feed($0) }
            offset = end
        }
        guard case .created(let session, _, let response) = try reading.finish() else {
            throw Differs("an import found a session")
        }
        try response?.wait()
        return session
    }
}
