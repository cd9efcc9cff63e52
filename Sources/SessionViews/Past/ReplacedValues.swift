// The values that an operation replaces or removes, in the state that it meets: after the operations before it in
// its commit.

import JSONCodec
import TraitEngine
import TraitJSON
import TraitSessions

/// Writes the operations of a commit, each with `previous` where it replaces or removes something.
///
/// Used by one thread at a time.
final class ReplacedValues {
    /// The operations so far; nil while there are none.
    private var list: [UInt8]?
    private let bytesMax: Int
    private var isTooLong = false

    /// The values of a deleted node are shown up to so many bytes.
    private static let nodeBytesMax = 65_536

    /// - Parameter bytesMax: the most bytes of a list.
    init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// Adds an operation that is about to be applied.
    func add(_ operation: JSONValue, before state: SessionState) {
        if isTooLong { return }
        var text = list ?? []
        list = nil
        text.append(UInt8(ascii: text.isEmpty ? "[" : ","))
        if let previous = Self.previous(operation, state) {
            text += operation.rawBytes.dropLast()
            text += Array(#","previous":"#.utf8)
            text += previous
            text.append(UInt8(ascii: "}"))
        } else {
            text += operation.rawBytes
        }
        isTooLong = text.count > bytesMax
        list = isTooLong ? nil : text
    }

    /// The JSON array of the operations. The next list is empty.
    ///
    /// - Throws: `memoryFull` when the list is too long.
    func takeList() throws(SessionError) -> [UInt8] {
        defer { (list, isTooLong) = (nil, false) }
        if isTooLong {
            throw SessionError(.memoryFull, "What the commit replaced has too many bytes.")
        }
        return (list ?? [UInt8(ascii: "[")]) + [UInt8(ascii: "]")]
    }

    /// The JSON of what the operation replaces or removes; nil for nothing.
    static func previous(_ operation: JSONValue, _ state: SessionState) -> [UInt8]? {
        guard let name = operation.member("op")?.string, let kind = OperationKind(name.bytes) else {
            return nil
        }
        switch kind {
        case .setOverride, .removeOverride: return value(.overrides, operation, state)
        case .setSupplied, .removeSupplied: return value(.supplied, operation, state)
        case .setEnvironment, .removeEnvironment: return environment(operation, state)
        case .updateNode: return node(operation, state)
        case .moveNode: return place(operation, state)
        case .deleteNode: return deletedNode(operation, state)
        case .updateTrait: return patch(operation, state)
        case .deleteTrait: return definition(.trait, operation, state)
        case .defineEnvironmentKey, .deleteEnvironmentKey:
            return definition(.environmentKey, operation, state)
        case .defineColor, .deleteColor: return definition(.color, operation, state)
        case .defineImage, .deleteImage: return definition(.image, operation, state)
        case .setScope, .removeScope: return scope(operation, state)
        case .unregister: return registration(operation, state)
        case .createNode, .defineTrait, .register, .layout, .updateTraitsIfNeeded, .renameNode,
            .renameTrait:
            return nil
        case .putNode, .putTrait, .clearOverrides, .copyNode, .setDevice: return nil
        }
    }

    private static func name(_ member: StaticString, of operation: JSONValue) -> String? {
        operation.member(member)?.string?.string
    }

    private static func node(of operation: JSONValue, _ state: SessionState) -> NodeIndex? {
        name("node", of: operation).flatMap { state.hierarchy.node($0) }
    }

    // MARK: - Values

    private static func value(
        _ layer: ValueLayer, _ operation: JSONValue, _ state: SessionState
    ) -> [UInt8]? {
        let hierarchy = state.hierarchy
        guard let node = node(of: operation, state),
            let trait = name("trait", of: operation).flatMap({ hierarchy.definitions.index(of: $0) }
            )
        else { return nil }
        let isUnder = layer == .overrides && operation.member("under")?.bool == true
        let stored =
            isUnder
            ? state.annotations.covered[node, trait]?.value : hierarchy.value(layer, node, trait)
        let encoding = state.encodings.encoding(of: trait, in: hierarchy.definitions)
        return stored.map { value in JSONWriter.text { encoding.write(value, into: &$0) } }
    }

    private static func environment(_ operation: JSONValue, _ state: SessionState) -> [UInt8]? {
        let hierarchy = state.hierarchy
        guard let node = node(of: operation, state), let key = name("key", of: operation),
            let definition = hierarchy.definitions.environmentKey(named: key)?.definition,
            let stored = try? hierarchy.ownEnvironment(key, of: node)
        else { return nil }
        return JSONWriter.text { TraitEncoding(definition).write(stored, into: &$0) }
    }

    // MARK: - Nodes

    /// The members of the node that the operation has.
    private static func node(_ operation: JSONValue, _ state: SessionState) -> [UInt8]? {
        let hierarchy = state.hierarchy
        guard let node = node(of: operation, state) else { return nil }
        return JSONWriter.text { writer in
            writer.beginObject()
            if operation.member("parent") != nil {
                writer.member("parent", orNull: hierarchy.parent(of: node), of: state.hierarchy)
            }
            if operation.member("controller") != nil {
                writer.member(
                    "controller", orNull: hierarchy.controller(of: node), of: state.hierarchy)
            }
            if operation.member("label") != nil {
                writer.member("label", orNull: hierarchy.label(of: node))
            }
            writer.endObject()
        }
    }

    /// Where the node stands among its siblings.
    private static func place(_ operation: JSONValue, _ state: SessionState) -> [UInt8]? {
        guard let node = node(of: operation, state) else { return nil }
        return JSONWriter.text { writer in
            writer.beginObject()
            if let sibling = state.hierarchy.siblingBefore(node) {
                writer.member("after", orNull: sibling, of: state.hierarchy)
            } else if let sibling = state.hierarchy.siblingBehind(node) {
                writer.member("before", orNull: sibling, of: state.hierarchy)
            }
            writer.endObject()
        }
    }

    /// The node itself, as `createNode` would make it, and how many nodes are deleted with it. O(subtree).
    private static func deletedNode(_ operation: JSONValue, _ state: SessionState) -> [UInt8]? {
        let hierarchy = state.hierarchy
        guard let node = node(of: operation, state) else { return nil }
        return JSONWriter.text { writer in
            writer.beginObject()
            NodeWriter.writeStand(of: node, in: hierarchy, into: &writer)
            writer.member("label", ifPresent: hierarchy.label(of: node))
            var isWhole = true
            /// Writes values up to the bound, by the keys of their traits or environment keys.
            func write(
                _ member: StaticString, _ values: [(TraitEncoding, TraitValue)],
                _ writer: inout JSONWriter
            ) {
                if values.isEmpty { return }
                writer.beginObject(member)
                for (encoding, value) in values {
                    guard writer.count < nodeBytesMax else {
                        isWhole = false
                        break
                    }
                    writer.key(encoding.definition.key)
                    encoding.write(value, into: &writer)
                }
                writer.endObject()
            }
            func encoded(_ values: [(TraitIndex, TraitValue)]) -> [(TraitEncoding, TraitValue)] {
                values.map { trait, value in
                    (state.encodings.encoding(of: trait, in: hierarchy.definitions), value)
                }
            }
            write("overrides", encoded(hierarchy.overrides(of: node)), &writer)
            write("supplied", encoded(hierarchy.supplied(of: node)), &writer)
            let environment = hierarchy.definitions.environmentKeys.compactMap { key in
                key.bridgedTrait != nil
                    ? nil
                    : (try? hierarchy.ownEnvironment(key.key, of: node)).map {
                        (TraitEncoding(key.definition), $0)
                    }
            }
            write("environment", environment, &writer)
            if !isWhole { writer.member("isWhole", false) }
            var count = 0
            hierarchy.forEachStructuralDescendant(of: node) { other in
                if other != node { count += 1 }
                return true
            }
            if count > 0 { writer.member("nodesBelow", count) }
            writer.endObject()
        }
    }

    // MARK: - Definitions

    /// The patch that takes the new definition back to the former one; nil where nothing changes.
    private static func patch(_ operation: JSONValue, _ state: SessionState) -> [UInt8]? {
        let definitions = state.hierarchy.definitions
        guard let trait = name("trait", of: operation).flatMap({ definitions.index(of: $0) }),
            let patch = operation.member("patch"),
            let new = try? DefinitionPatch.apply(patch, to: definitions[trait]),
            !definitions[trait].isSame(as: new)
        else { return nil }
        return JSONWriter.text {
            DefinitionPatch.write(from: new, to: definitions[trait], into: &$0)
        }
    }

    /// The JSON of a definition that there is.
    static func definition(
        _ kind: DefinitionKind, _ operation: JSONValue, _ state: SessionState
    ) -> [UInt8]? {
        guard let name = name(kind.member, of: operation) else { return nil }
        let text = JSONWriter.text { writer in
            kind.write(
                name, of: state.hierarchy.definitions, with: &state.encodings, into: &writer)
        }
        return text.isEmpty ? nil : text
    }

    // MARK: - Registrations and scopes

    private static func scope(_ operation: JSONValue, _ state: SessionState) -> [UInt8]? {
        let hierarchy = state.hierarchy
        guard let node = node(of: operation, state), let method = name("scope", of: operation),
            let scope = hierarchy.scope(node, method)
        else { return nil }
        return JSONWriter.text { writer in
            writer.beginArray()
            writer.names(of: scope.reads, hierarchy.definitions)
            writer.endArray()
        }
    }

    private static func registration(_ operation: JSONValue, _ state: SessionState) -> [UInt8]? {
        let hierarchy = state.hierarchy
        guard
            let registration = name("registration", of: operation)
                .flatMap({ hierarchy.registration(named: $0) })
        else { return nil }
        return JSONWriter.text { writer in
            writer.beginObject()
            state.writeProperties(of: hierarchy.registrationInfo(registration), into: &writer)
            writer.endObject()
        }
    }
}
