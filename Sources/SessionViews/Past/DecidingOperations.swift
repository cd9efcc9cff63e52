// The operations of a commit that decided what a node resolves a trait to: those that set or removed a value, moved
// or renamed a node, changed a definition, or brought what waited for an update.

import JSONCodec
import TraitEngine
import TraitSessions

/// By name: the node whose own value decides, and the node with all nodes above it.
struct DecidingNodes {
    var decider: String?
    var path: Set<String>

    /// An operation gives a node another name.
    mutating func rename(_ from: String, to: String) {
        if decider == from { decider = to }
        if path.remove(from) != nil { path.insert(to) }
    }
}

struct DecidingOperations {
    private let before: DecidingNodes
    private let after: DecidingNodes
    /// The keys of the trait before the commit, in it and after it.
    private let traits: Set<String>
    /// The environment keys that are bridged to the trait.
    private let keys: Set<String>

    private static let operationsMax = 10

    /// - Parameters:
    ///   - before: the nodes before the commit.
    ///   - after: the nodes after it.
    init(
        before: DecidingNodes, after: DecidingNodes, traits: Set<String>, _ state: SessionState
    ) {
        self.before = before
        self.after = after
        self.traits = traits
        keys = Set(
            state.hierarchy.definitions.environmentKeys.filter {
                $0.bridgedTrait.map(traits.contains) ?? false
            }.map(\.key))
    }

    /// The first ones as a JSON array. O(operations).
    func list(_ operations: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        var count = 0
        // The names that the nodes have when an operation is applied: those of `before` are followed through the new
        // names of the commit, and those of `after` back.
        let renames = operations.elements.compactMap(Self.rename)
        var (before, after) = (before, after)
        for (from, to) in renames.reversed() { after.rename(to, to: from) }
        for operation in operations.elements {
            if count == Self.operationsMax { break }
            if decides(operation, before) || decides(operation, after) {
                writer.raw(operation.rawBytes)
                count += 1
            }
            if let (from, to) = Self.rename(operation) {
                before.rename(from, to: to)
                after.rename(from, to: to)
            }
        }
        writer.endArray()
        return writer.array()
    }

    private static func rename(_ operation: JSONValue) -> (from: String, to: String)? {
        guard operation.member("op")?.string.flatMap({ OperationKind($0.bytes) }) == .renameNode,
            let from = operation.member("node")?.string?.string,
            let to = operation.member("to")?.string?.string
        else { return nil }
        return (from, to)
    }

    private func decides(_ operation: JSONValue, _ nodes: DecidingNodes) -> Bool {
        guard let name = operation.member("op")?.string, let kind = OperationKind(name.bytes) else {
            return false
        }
        let node = operation.member("node")?.string?.string
        let trait = operation.member("trait")?.string?.string
        let path = nodes.path
        func isDecider() -> Bool { node != nil && node == nodes.decider }
        switch kind {
        case .layout: return true
        case .updateTraitsIfNeeded: return has(node, path)
        case .renameTrait, .defineTrait, .putTrait, .deleteTrait, .updateTrait:
            return has(trait, traits)
        case .setOverride, .removeOverride, .setSupplied, .removeSupplied:
            return isDecider() && has(trait, traits)
        case .setEnvironment, .removeEnvironment:
            return isDecider() && has(operation.member("key")?.string?.string, keys)
        case .clearOverrides: return isDecider()
        case .createNode, .putNode, .deleteNode, .moveNode, .renameNode: return has(node, path)
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
