// The filter of a history: commits with an operation on a node or a trait.

import Glibc
import JSONCodec
import TraitEngine

/// Looks for the name of a node or trait in the operations of commits.
package struct CommitFilter: Sendable {
    private let node: Names?
    /// By key; the given name where no trait has that name any more.
    private let trait: Names?
    /// The environment keys that are bridged to the trait.
    private let keys: [[UInt8]]

    /// The names of a node or a trait. Those of most commits are the same.
    ///
    /// Unchecked: the filter is used by one thread at a time.
    private final class Names: @unchecked Sendable {
        let track: NameTrack
        private var known: (names: Set<String>, bytes: [[UInt8]]) = ([], [])

        init(_ name: String, isNode: Bool) { track = NameTrack(name, isNode: isNode) }

        func bytes(at revision: Int64) -> [[UInt8]] {
            let names = track.names(at: revision)
            if names != known.names { known = (names, names.map { Array($0.utf8) }) }
            return known.bytes
        }
    }

    /// - Parameters:
    ///   - node: only commits with an operation on this node; nil for all.
    ///   - trait: only commits with an operation on this trait, by key or identifier; nil for all.
    ///   - definitions: the session's definitions.
    package init(node: String?, trait: String?, _ definitions: TraitDefinitions) {
        self.node = node.map { Names($0, isNode: true) }
        guard let trait else {
            self.trait = nil
            keys = []
            return
        }
        let key = definitions.index(of: trait).map { definitions[$0].key } ?? trait
        self.trait = Names(key, isNode: false)
        keys = definitions.environmentKeys.filter { $0.bridgedTrait == key }
            .map { Array($0.key.utf8) }
    }

    /// Follows the names through a commit. All are looked at, from the newest on, and `finish` is called, before
    /// the first one is asked about.
    package func look(at commit: RetainedCommit) {
        node?.track.look(at: commit)
        trait?.track.look(at: commit)
    }

    package func finish() {
        node?.track.finish()
        trait?.track.finish()
    }

    /// Whether one operation of the commit is on the node and the trait. O(operations). A search
    /// for the bytes of the name excludes most commits without parsing.
    package func covers(_ commit: RetainedCommit, _ tape: JSONTape) -> Bool {
        let node = node?.bytes(at: commit.revision)
        let trait = trait?.bytes(at: commit.revision)
        return commit.withOperations { operations in
            func has(_ name: [UInt8]) -> Bool { Self.contains(operations, name) }
            if let node, !node.contains(where: has) { return false }
            if let trait, !trait.contains(where: has), !keys.contains(where: has) { return false }
            // The log's entries are valid JSON. Any other text counts as one without operations.
            return
                (try? tape.withDocument(operations) { list in
                    for operation in list.elements where covers(operation, node, trait) {
                        return true
                    }
                    return false
                }) ?? false
        }
    }

    private func covers(
        _ operation: JSONValue, _ node: [[UInt8]]?, _ trait: [[UInt8]]?
    ) -> Bool {
        if let node, !node.contains(where: { Self.equal(operation.member("node"), $0) }) {
            return false
        }
        guard let trait else { return true }
        if trait.contains(where: { Self.equal(operation.member("trait"), $0) }) { return true }
        if let key = operation.member("key"), operation.member("node") != nil {
            if keys.contains(where: { Self.equal(key, $0) }) { return true }
        }
        let overrides = operation.member("overrides")
        let supplied = operation.member("supplied")
        return trait.contains { trait in
            trait.withUnsafeBytes { Self.has(overrides, $0) || Self.has(supplied, $0) }
        }
    }

    private static func has(_ values: JSONValue?, _ name: UnsafeRawBufferPointer) -> Bool {
        guard let values, values.kind == .object else { return false }
        return values.member(name) != nil
    }

    private static func equal(_ json: JSONValue?, _ name: [UInt8]) -> Bool {
        json?.string?.bytes.elementsEqual(name) ?? false
    }

    /// Whether the text has the name in quotes. Names have no characters that JSON escapes.
    package static func contains(_ text: UnsafeRawBufferPointer, _ name: [UInt8]) -> Bool {
        guard let base = text.baseAddress else { return false }
        let quote = UInt8(ascii: "\"")
        var start = 0
        while let found = memchr(base + start, Int32(quote), text.count - start) {
            start = base.distance(to: UnsafeRawPointer(found)) + 1
            guard start + name.count < text.count else { return false }
            if text[start + name.count] == quote, memcmp(base + start, name, name.count) == 0 {
                return true
            }
        }
        return false
    }
}
