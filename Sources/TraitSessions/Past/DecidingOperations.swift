// The operations of a commit that decided what a node resolves a trait to: those that set or removed a value, moved
// or renamed a node, changed a definition, or brought what waited for an update.

import JSONCodec
import TraitEngine

struct DecidingOperations {
    /// The nodes whose own value decides, before and after the commit.
    private let deciders: Set<String>
    /// The node and all nodes above it, before and after.
    private let path: Set<String>
    private let trait: String
    /// The environment keys that are bridged to the trait.
    private let keys: Set<String>

    private static let operationsMax = 10

    init(deciders: Set<String>, path: Set<String>, trait: String, _ state: SessionState) {
        self.deciders = deciders
        self.path = path
        self.trait = trait
        keys = Set(
            state.hierarchy.definitions.environmentKeys.filter { $0.bridgedTrait == trait }
                .map(\.key))
    }

    /// The first ones as a JSON array. O(operations).
    func list(_ operations: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        var count = 0
        for operation in operations.elements where count < Self.operationsMax && decides(operation)
        {
            writer.raw(operation.rawBytes)
            count += 1
        }
        writer.endArray()
        return writer.array()
    }

    private func decides(_ operation: JSONValue) -> Bool {
        guard let name = operation.member("op")?.string, let kind = OperationKind(name.bytes) else {
            return false
        }
        let node = operation.member("node")?.string?.string
        let newName = operation.member("to")?.string?.string
        switch kind {
        case .layout: return true
        case .updateTraitsIfNeeded: return has(node, path)
        case .renameNode: return has(node, path) || has(newName, path)
        case .renameTrait:
            return newName == trait || operation.member("trait")?.string?.string == trait
        case .defineTrait, .putTrait, .deleteTrait, .updateTrait:
            return operation.member("trait")?.string?.string == trait
        case .setOverride, .removeOverride, .setSupplied, .removeSupplied:
            return has(node, deciders) && operation.member("trait")?.string?.string == trait
        case .setEnvironment, .removeEnvironment:
            return has(node, deciders) && has(operation.member("key")?.string?.string, keys)
        case .clearOverrides: return has(node, deciders)
        case .createNode, .putNode, .deleteNode, .moveNode: return has(node, path)
        case .updateNode:
            return has(node, path)
                && (operation.member("parent") != nil || operation.member("controller") != nil)
        default: return false
        }
    }

    private func has(_ name: String?, _ names: Set<String>) -> Bool {
        name.map(names.contains) ?? false
    }
}
