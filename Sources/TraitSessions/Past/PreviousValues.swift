// What the operations of commits replaced. The log does not have it: a replay looks before each commit.

import JSONCodec
import Ledger
import SessionLog
import TraitEngine

/// The operations of some commits with `previous`, as JSON arrays by revision. Immutable.
package struct PreviousValues: Sendable {
    package let operations: [Int64: [UInt8]]
}

/// Used by one thread at a time.
final class PreviousValuesWork: PastWork {
    let origin: Session
    /// Ascending.
    private let revisions: [Int64]
    private let wanted: Set<Int64>
    private var replay: PastReplay?
    private var operations: [Int64: [UInt8]] = [:]
    private var bytes = 0

    init(_ origin: Session, _ revisions: [Int64]) {
        self.origin = origin
        self.revisions = revisions
        wanted = Set(revisions)
    }

    var byteCount: Int { (replay.map { $0.state.countBytes().total } ?? 0) + bytes }

    func step() throws(SessionError) -> PastResult? {
        guard let first = revisions.first, let last = revisions.last else {
            return PastResult(.previous(PreviousValues(operations: [:])), bytes: 0)
        }
        guard let replay else {
            replay = try PastReplay(of: origin, from: first - 1)
            return nil
        }
        let isOver = try replay.step(
            to: last,
            before: { entry throws(SessionError) in
                guard self.wanted.contains(entry.revision) else { return }
                let list = try replay.replayer.withContent(of: entry) { content in
                    ReplacedValues.list(content.operations, before: replay.state)
                }
                self.bytes += list.count + 64
                self.operations[entry.revision] = list
            })
        guard isOver else { return nil }
        self.replay = nil
        return PastResult(
            .previous(PreviousValues(operations: operations)), bytes: bytes + 1_024)
    }
}

/// Writes the operations of a commit with what they replaced in the state before.
private struct ReplacedValues {
    private let state: SessionState
    /// The values that earlier operations of the same commit have set, by place; nil for a removed one.
    private var set: [String: [UInt8]?] = [:]

    static func list(_ operations: JSONValue, before state: SessionState) -> [UInt8] {
        var replaced = ReplacedValues(state: state)
        var list: [UInt8] = [UInt8(ascii: "[")]
        for operation in operations.elements {
            if list.count > 1 { list.append(UInt8(ascii: ",")) }
            guard let previous = replaced.previous(operation) else {
                list += operation.rawBytes
                continue
            }
            list += operation.rawBytes.dropLast()
            list += Array(#","previous":"#.utf8)
            list += previous
            list.append(UInt8(ascii: "}"))
        }
        list.append(UInt8(ascii: "]"))
        return list
    }

    private init(state: SessionState) { self.state = state }

    /// The JSON of what the operation replaces; nil where nothing was set.
    private mutating func previous(_ operation: JSONValue) -> [UInt8]? {
        guard let name = operation.member("op")?.string, let kind = OperationKind(name.bytes) else {
            return nil
        }
        switch kind {
        case .setOverride, .removeOverride: return value(.overrides, operation)
        case .setSupplied, .removeSupplied: return value(.supplied, operation)
        case .setEnvironment, .removeEnvironment: return environment(operation)
        case .updateNode, .moveNode: return node(operation)
        case .defineColor: return dynamic(.color, operation.member("color"))
        case .defineImage: return dynamic(.image, operation.member("image"))
        default: return nil
        }
    }

    /// - Parameters:
    ///   - place: names the value within the session.
    ///   - stored: the JSON of the value in the state before the commit.
    private mutating func replaced(
        _ place: String, by operation: JSONValue, _ stored: () -> [UInt8]?
    ) -> [UInt8]? {
        let before = set[place] ?? stored()
        set[place] = .some(operation.member("value").map { Array($0.rawBytes) })
        return before
    }

    private mutating func value(_ layer: ValueLayer, _ operation: JSONValue) -> [UInt8]? {
        guard let node = operation.member("node")?.string?.string,
            let trait = operation.member("trait")?.string?.string
        else { return nil }
        let state = state
        return replaced("\(layer.member) \(node) \(trait)", by: operation) {
            let hierarchy = state.hierarchy
            guard let node = hierarchy.node(node),
                let trait = hierarchy.definitions.index(of: trait)
            else { return nil }
            let stored =
                layer == .overrides
                ? hierarchy.override(trait, of: node) : hierarchy.supplied(trait, of: node)
            let encoding = state.encodings.encoding(of: trait, in: hierarchy.definitions)
            return stored.map { value in Self.json { encoding.write(value, into: &$0) } }
        }
    }

    private mutating func environment(_ operation: JSONValue) -> [UInt8]? {
        guard let node = operation.member("node")?.string?.string,
            let key = operation.member("key")?.string?.string
        else { return nil }
        let hierarchy = state.hierarchy
        return replaced("environment \(node) \(key)", by: operation) {
            guard let node = hierarchy.node(node),
                let definition = hierarchy.definitions.environmentKey(named: key)?.definition,
                let stored = try? hierarchy.ownEnvironment(key, of: node)
            else { return nil }
            return Self.json { TraitEncoding(definition).write(stored, into: &$0) }
        }
    }

    /// The members of the node that the operation has.
    private func node(_ operation: JSONValue) -> [UInt8]? {
        let hierarchy = state.hierarchy
        guard let name = operation.member("node")?.string?.string, let node = hierarchy.node(name)
        else { return nil }
        return Self.json { writer in
            writer.beginObject()
            if operation.member("parent") != nil {
                writer.key("parent")
                if let parent = hierarchy.parent(of: node) {
                    writer.value(hierarchy.identifier(of: parent))
                } else {
                    writer.null()
                }
            }
            if operation.member("controller") != nil {
                writer.key("controller")
                if let controller = hierarchy.controller(of: node) {
                    writer.value(hierarchy.identifier(of: controller))
                } else {
                    writer.null()
                }
            }
            if operation.member("label") != nil {
                writer.key("label")
                if let label = hierarchy.label(of: node) {
                    writer.value(label)
                } else {
                    writer.null()
                }
            }
            writer.endObject()
        }
    }

    private func dynamic(_ kind: DynamicKind, _ name: JSONValue?) -> [UInt8]? {
        guard let name = name?.string?.string,
            let value = state.hierarchy.definitions.dynamic(kind, named: name)
        else { return nil }
        return Self.json { DynamicWriter.writeDefinition(value, with: &state.encodings, into: &$0) }
    }

    private static func json(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        write(&writer)
        return writer.array()
    }
}

extension PastStates {
    /// What the operations of retained commits replaced.
    ///
    /// - Parameters:
    ///   - revisions: ascending; the state before the first one can be rebuilt.
    ///   - caller: pays for the memory.
    /// - Throws: `tooManyReads` when too many wait.
    package func previousValues(
        of revisions: [Int64], in session: Session, for caller: MemoryAccount?
    ) throws(SessionError) -> PastFinding<PreviousValues> {
        let key = PastKey(
            uid: session.uid, revision: revisions.last ?? 0, what: .previous(revisions))
        let found = try find(key, for: caller) { PreviousValuesWork(session, revisions) }
        switch found {
        case .found(let result):
            guard case .previous(let values) = result.content else { break }
            return .found(values)
        case .wait(let response): return .wait(response)
        }
        throw SessionError(.internalError, "The past is of another kind.")
    }
}
