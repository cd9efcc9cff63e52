// All that can be read of a session, written with what the interface writes its answers with: two
// sessions are the same when these bytes are.

import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

package enum Dump {
    /// The whole session at its head. Traits stand in the order of their definition; the engine's
    /// indices are left out, as they depend on when the log acknowledged a deletion.
    package static func bytes(of session: Session) -> [UInt8] {
        session.withState { state in
            var json = JSONWriter(capacity: 65_536)
            json.beginObject()
            json.key("session")
            state.write(into: &json)
            definitions(of: state, &json)
            tree(of: state, &json)
            nodes(of: state, &json)
            json.beginArray("registrations")
            for registration in state.hierarchy.registrations() {
                state.write(registration, into: &json)
            }
            json.endArray()
            json.endObject()
            return json.array()
        }
    }

    /// The trait tree in its order.
    private static func tree(of session: SessionState, _ json: inout JSONWriter) {
        json.beginArray("tree")
        var names: [(String, Int)] = []
        session.hierarchy.forEachNode { node, level in
            names.append((session.hierarchy.identifier(of: node), level))
            return .descend
        }
        for (name, level) in names {
            json.value(name)
            json.value(level)
        }
        json.endArray()
    }

    private static func definitions(of session: SessionState, _ json: inout JSONWriter) {
        let definitions = session.hierarchy.definitions
        json.beginArray("definitions")
        for trait in definitions.customInOrder {
            DefinitionWriter.write(definitions[trait], into: &json)
        }
        for key in definitions.environmentKeys {
            EnvironmentKeyWriter.write(key, of: definitions, into: &json)
        }
        var encodings = TraitEncodings()
        for kind in [DynamicKind.color, .image] {
            for value in definitions.dynamics(kind) {
                DynamicWriter.write(value, with: &encodings, into: &json)
            }
        }
        json.endArray()
    }

    private static func nodes(of session: SessionState, _ json: inout JSONWriter) {
        let hierarchy = session.hierarchy
        json.beginArray("nodes")
        for name in ScriptGenerator.nodes {
            guard let node = hierarchy.node(name) else { continue }
            NodeWriter.write(node, of: session, into: &json) { json in
                session.writeHead(node, into: &json)
                json.beginArray("children")
                // Structural children are in no order; the trait tree has one, which comes below.
                let children = hierarchy.structuralChildren(of: node)
                for child in children.map(hierarchy.identifier).sorted() { json.value(child) }
                json.endArray()
                traits(at: node, of: session, &json)
                bridged(at: node, of: session, &json)
            }
        }
        json.endArray()
    }

    private static func traits(
        at node: NodeIndex, of session: SessionState, _ json: inout JSONWriter
    ) {
        var listing = TraitListing()
        session.writeTraits(
            session.hierarchy.definitions.settable, at: node, listing, into: &json)
        listing.explain = true
        // With all layers it is as long again as all the rest: once for each layer is enough.
        let some = session.hierarchy.definitions.custom.union(probes(session))
        session.writeTraits(some, at: node, listing, into: &json)
        listing.pending = true
        session.writeTraits(some, at: node, listing, into: &json)
    }

    private static func probes(_ session: SessionState) -> TraitSet {
        var probes = TraitSet()
        for sample in TraitSample.system {
            if let trait = session.hierarchy.definitions.index(of: sample.key) {
                probes.insert(trait)
            }
        }
        return probes
    }

    private static func bridged(
        at node: NodeIndex, of session: SessionState, _ json: inout JSONWriter
    ) {
        let hierarchy = session.hierarchy
        json.beginArray("bridged")
        for scope in hierarchy.scopes(of: node) { session.write(scope, into: &json) }
        for key in hierarchy.definitions.environmentKeys {
            let encoding = TraitEncoding(key.definition)
            if let value = try? hierarchy.environment(key.key, at: node) {
                encoding.write(value.value, into: &json)
                session.write(value.source, into: &json)
            }
            if let own = try? hierarchy.ownEnvironment(key.key, of: node) {
                encoding.write(own, into: &json)
            }
        }
        for kind in [DynamicKind.color, .image] {
            for value in hierarchy.definitions.dynamics(kind) {
                let choice = try? hierarchy.resolveDynamic(kind, value.name, at: node)
                json.value(choice?.index ?? -1)
            }
        }
        json.endArray()
    }
}
