// The traits of a node as answers show them: the hot path of the service.

import JSONCodec
import TraitEngine
import TraitJSON

/// How a node's traits are shown.
package struct TraitListing: Sendable {
    /// Whether only values that differ from the default are shown.
    package var specified = false
    /// Whether each value has its source and chain.
    package var explain = false
    /// Whether the chain also lists layers without a value.
    package var absent = false
    /// Whether the values are those after the next update.
    package var pending = false

    package static let plain = TraitListing()

    package init() {}
}

extension SessionState {
    /// `"node","revision","state"` of the open object.
    package func writeHead(_ node: NodeIndex, into writer: inout JSONWriter) {
        writer.member("node", bytes: hierarchy.identifierBytes(of: node))
        writer.member("revision", shownRevision)
        writer.flag("assumed", when: isAssumed)
        writeState(node, into: &writer)
    }

    /// `"node","state"` of the open object, which is an element of a list.
    package func writeElementHead(_ node: NodeIndex, into writer: inout JSONWriter) {
        writer.member("node", node, of: hierarchy)
        writeState(node, into: &writer)
    }

    package func writeState(_ node: NodeIndex, into writer: inout JSONWriter) {
        write(hierarchy.state(of: node), into: &writer)
    }

    package func write(_ state: NodeState, into writer: inout JSONWriter) {
        writer.key("state")
        switch state {
        case .current: writer.value("current" as StaticString)
        case .pending: writer.value("pending" as StaticString)
        case .detached: writer.value("detached" as StaticString)
        }
    }

    /// `"traits"` of the open object.
    ///
    /// - Returns: whether that is all; false when the writer had `budget` bytes before the last trait.
    @discardableResult
    package func writeTraits(
        _ traits: TraitSet, at node: NodeIndex, _ options: TraitListing, budget: Int = .max,
        into writer: inout JSONWriter
    ) -> Bool {
        writer.beginObject("traits")
        write(traits, at: node, options, budget, into: &writer)
        writer.endObject()
        return writer.count < budget
    }

    private func write(
        _ traits: TraitSet, at node: NodeIndex, _ options: TraitListing, _ budget: Int,
        into writer: inout JSONWriter
    ) {
        if !encodings.have(traits) { encodings.make(traits, in: hierarchy.definitions) }
        let specified = options.specified
        func write(_ trait: TraitIndex, _ word: UInt64) {
            if !specified, let member = encodings.prepared(trait).member(for: word) {
                return writer.raw(member)
            }
            if writer.count >= budget { return }
            let encoding = encodings[trait]
            let value = hierarchy.value(from: word, of: trait)
            if specified, value == encoding.definition.defaultValue { return }
            writer.member(encoding.member)
            encoding.write(value, into: &writer)
        }
        forEachWord(of: traits, at: node, write)
    }

    /// Calls `body` with the word of each trait at a node, in the order of the definitions.
    @inline(__always)
    package func forEachWord(
        of traits: TraitSet, at node: NodeIndex, _ body: (TraitIndex, UInt64) -> Void
    ) {
        guard !hierarchy.isInCatalogueOrder else {
            return hierarchy.words(of: traits, at: node) { body($0, $1) }
        }
        // A trait that took the index of a deleted one comes after the older ones all the same.
        let definitions = hierarchy.definitions
        var words: [(trait: TraitIndex, word: UInt64)] = []
        hierarchy.words(of: traits, at: node) { words.append(($0, $1)) }
        words.sort {
            definitions.catalogueRank(of: $0.trait) < definitions.catalogueRank(of: $1.trait)
        }
        for (trait, word) in words { body(trait, word) }
    }

    /// The resolution that the node shows, or will show after the next update.
    func resolution(
        _ trait: TraitIndex, at node: NodeIndex, _ options: TraitListing
    ) -> Resolution {
        options.pending ? pendingResolution(trait, at: node) : hierarchy.resolve(trait, at: node)
    }

    /// The value that the node will show when it is brought up to date.
    private func pendingResolution(_ trait: TraitIndex, at node: NodeIndex) -> Resolution {
        let chain = hierarchy.pendingChain(of: trait, at: node)
        guard let winner = chain.first(where: { $0.status == .winner }), let value = winner.value
        else { return hierarchy.resolve(trait, at: node) }
        return Resolution(
            value: value,
            source: Source(
                kind: winner.layer, node: winner.node, revision: winner.revision,
                deletedNode: winner.deletedNode))
    }

    /// `"value","source"` of the open object, with `explain` the `chain` too.
    package func writeExplained(
        _ trait: TraitIndex, at node: NodeIndex, _ encoding: TraitEncoding,
        _ options: TraitListing, into writer: inout JSONWriter
    ) {
        let resolution = resolution(trait, at: node, options)
        writer.key("value")
        encoding.write(resolution.value, into: &writer)
        writer.key("source")
        write(resolution.source, into: &writer)
        guard options.explain else { return }
        writer.beginArray("chain")
        for entry in chain(of: trait, at: node, options) {
            write(entry, of: trait, into: &writer)
        }
        writer.endArray()
    }

    /// `"value","source"` of the open object.
    package func writeValue(
        of trait: TraitIndex, at node: NodeIndex, _ options: TraitListing,
        into writer: inout JSONWriter
    ) {
        var options = options
        options.explain = false
        let encoding = encodings.encoding(of: trait, in: hierarchy.definitions)
        writeExplained(trait, at: node, encoding, options, into: &writer)
    }

    /// The layers that set a trait for a node; with `options.absent` also the nodes that set it in none. O(levels).
    package func chain(
        of trait: TraitIndex, at node: NodeIndex, _ options: TraitListing
    ) -> [ChainEntry] {
        options.pending
            ? hierarchy.pendingChain(of: trait, at: node, includeAbsent: options.absent)
            : hierarchy.chain(of: trait, at: node, includeAbsent: options.absent)
    }

    /// One element of a chain.
    package func write(
        _ entry: ChainEntry, of trait: TraitIndex, into writer: inout JSONWriter
    ) {
        writer.beginObject()
        if let node = entry.node {
            writer.member("node", node, of: hierarchy)
        } else if let node = entry.deletedNode {
            write(deleted: node, into: &writer)
        }
        writer.member("layer", entry.layer.name)
        if let value = entry.value {
            let encoding = encodings.encoding(of: trait, in: hierarchy.definitions)
            writer.key("value")
            encoding.write(value, into: &writer)
            writer.flag("deprecated", when: encoding.definition.deprecates(value))
        }
        writer.member("status", entry.status.rawValue)
        writeRevision(entry.revision, into: &writer)
        if !annotations.managers.isEmpty, let manager = manager(of: entry, trait) {
            writer.member("setBy", manager)
        }
        if entry.layer == .override, entry.value != nil, let node = entry.node {
            writeEnd(of: trait, at: node, into: &writer)
        }
        writer.endObject()
    }

    private func manager(of entry: ChainEntry, _ trait: TraitIndex) -> String? {
        guard let node = entry.node, entry.value != nil else { return nil }
        return manager(of: trait, at: node, entry.layer)
    }

    /// The manager of the value that a node has in a layer; nil for none.
    package func manager(of trait: TraitIndex, at node: NodeIndex, _ layer: Layer) -> String? {
        switch layer {
        case .override:
            // That of a value below a temporary override.
            if annotations.covered[node, trait] != nil { return nil }
            return annotations.managers.manager(of: ManagedPlace(node, .overrides, trait))
        case .supplied:
            return annotations.managers.manager(of: ManagedPlace(node, .supplied, trait))
        default: return nil
        }
    }
}
