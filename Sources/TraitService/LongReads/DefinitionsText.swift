// The list of a session's trait definitions: each may have a hundred cases, and there may be a thousand of
// them. Definitions are a value, so a long list needs no snapshot of the session.

import HTTPServer
import HTTPWire
import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

/// The definitions to write, and how many are written.
struct DefinitionsText: Sendable {
    let uid: String
    let revision: Int64
    private let session: String
    private let definitions: TraitDefinitions
    /// Those of the session in the catalogue's order.
    private let traits: [TraitIndex]
    private var count = 0
    private var hasBegun = false

    /// O(traits).
    init(_ session: SessionState) {
        uid = session.uid
        revision = session.head
        self.session = session.name
        definitions = session.hierarchy.definitions
        traits = Array(definitions.inCatalogueOrder(definitions.settable))
    }

    /// Writes on until the writer has `budget` bytes. Returns whether that is all.
    mutating func write(budget: Int, into writer: inout JSONWriter) -> Bool {
        if !hasBegun {
            hasBegun = true
            writer.beginObject()
            writer.member("session", session)
            writer.member("uid", uid)
            writer.member("revision", revision)
            writer.beginArray("traits")
        } else if count > 0 {
            // A part before this one ended in the middle of the array.
            writer.separate()
        }
        while count < traits.count {
            if writer.count >= budget { return false }
            DefinitionWriter.write(definitions[traits[count]], into: &writer)
            count += 1
        }
        let privates = definitions.hasSystemTraits ? SystemTraits.privateDefinitions : []
        for definition in privates {
            DefinitionWriter.write(definition, into: &writer)
        }
        writer.endArray()
        DefinitionWriter.writeSets(of: definitions, into: &writer)
        writer.endText()
        return true
    }
}
