// The filter of a history: commits with an operation on a node or a trait.

import Glibc
import JSONCodec
import TraitEngine

/// Looks for the name of a node or trait in the operations of commits.
package struct CommitFilter: Sendable {
    private let node: [UInt8]?
    /// The key of the trait; the given name where no trait has that name any more.
    private let trait: [UInt8]?
    /// The environment keys that are bridged to the trait.
    private let keys: [[UInt8]]

    /// - Parameters:
    ///   - node: only commits with an operation on this node; nil for all.
    ///   - trait: only commits with an operation on this trait, by key or identifier; nil for all.
    ///   - definitions: the session's definitions.
    package init(node: String?, trait: String?, _ definitions: TraitDefinitions) {
        self.node = node.map { Array($0.utf8) }
        guard let trait else {
            self.trait = nil
            keys = []
            return
        }
        let key = definitions.index(of: trait).map { definitions[$0].key } ?? trait
        self.trait = Array(key.utf8)
        keys = definitions.environmentKeys.filter { $0.bridgedTrait == key }
            .map { Array($0.key.utf8) }
    }

    /// Whether one operation of the commit is on the node and the trait. O(operations). A search
    /// for the bytes of the name excludes most commits without parsing.
    package func covers(_ commit: RetainedCommit, _ tape: JSONTape) -> Bool {
        commit.withOperations { operations in
            if let node, !Self.contains(operations, node) { return false }
            if let trait, !Self.contains(operations, trait),
                !keys.contains(where: { Self.contains(operations, $0) })
            {
                return false
            }
            // The log's entries are valid JSON. Any other text counts as one without operations.
            return
                (try? tape.withDocument(operations) { list in
                    for operation in list.elements where covers(operation) { return true }
                    return false
                }) ?? false
        }
    }

    private func covers(_ operation: JSONValue) -> Bool {
        if let node, !Self.equal(operation.member("node"), node) { return false }
        guard let trait else { return true }
        if Self.equal(operation.member("trait"), trait) { return true }
        if let key = operation.member("key"), operation.member("node") != nil {
            if keys.contains(where: { Self.equal(key, $0) }) { return true }
        }
        let overrides = operation.member("overrides")
        let supplied = operation.member("supplied")
        return trait.withUnsafeBytes { trait in
            Self.has(overrides, trait) || Self.has(supplied, trait)
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
    private static func contains(_ text: UnsafeRawBufferPointer, _ name: [UInt8]) -> Bool {
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
