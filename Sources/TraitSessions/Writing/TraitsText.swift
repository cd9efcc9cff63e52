// All traits of a node, with their sources and chains when these are asked for, and colours and images. A few levels make kilobytes of
// it; ten thousand levels that set nothing, all of which are asked for, make a gigabyte: so it is written in
// parts.

import JSONCodec
import TraitEngine
import TraitJSON

/// The traits, colours and images to write, and how many are written. The parts make one JSON object and a newline.
package struct TraitsText: Sendable {
    private let node: NodeIndex
    private let traits: TraitSet
    /// Colours, then images.
    private let dynamics: [DynamicValue]
    private let keys: [EnvironmentKey]
    private let options: TraitListing
    /// Whether the object is an element of a list, which has the revision itself. Then it has the
    /// form `{"node","state","traits"}` and no newline.
    private let isElement: Bool
    /// In catalogue order; nil before the first part.
    private var list: [TraitIndex]?
    /// How many of the list and of `dynamics` are done, and whether one of the list was written.
    private var count = 0
    private var dynamicsCount = 0
    private var keysCount = 0
    private var hasWritten = false
    private var areTraitsWritten = false
    private var areDynamicsWritten = false

    package init(
        _ traits: TraitSet, at node: NodeIndex, _ options: TraitListing,
        dynamics: [DynamicValue] = [], keys: [EnvironmentKey] = [], isElement: Bool = false
    ) {
        self.dynamics = dynamics
        self.keys = keys
        self.isElement = isElement
        self.traits = traits
        self.node = node
        self.options = options
    }

    /// Writes all of it in one part, several times as fast as `write` does without chains, unless it takes
    /// more than `budget` bytes.
    ///
    /// - Returns: whether that is all; if not, the writer has a beginning.
    package func writeAtOnce(
        from session: SessionState, budget: Int, into writer: inout JSONWriter
    ) -> Bool {
        if options.explain || isElement {
            var all = self
            return all.write(from: session, budget: budget, into: &writer)
        }
        writer.beginObject()
        session.writeHead(node, into: &writer)
        guard session.writeTraits(traits, at: node, options, budget: budget, into: &writer) else {
            return false
        }
        writer.endText()
        return true
    }

    /// Writes on until the writer has `budget` bytes; a trait's chain is never cut.
    ///
    /// - Returns: whether that is all.
    package mutating func write(
        from session: SessionState, budget: Int, into writer: inout JSONWriter
    ) -> Bool {
        let definitions = session.hierarchy.definitions
        let list = list ?? definitions.inCatalogueOrder(traits)
        if self.list == nil {
            self.list = list
            writer.beginObject()
            if isElement {
                session.writeElementHead(node, into: &writer)
            } else {
                session.writeHead(node, into: &writer)
            }
            writer.beginObject("traits")
        } else if areTraitsWritten || hasWritten {
            writer.separate()
        }
        guard
            writeTraits(list, session, budget, &writer),
            writeDynamics(session, budget, &writer),
            writeEnvironment(session, budget, &writer)
        else { return false }
        writer.endObject()
        if !isElement { writer.newline() }
        return true
    }

    /// Returns whether `traits` is complete, with its bracket.
    private mutating func writeTraits(
        _ list: [TraitIndex], _ session: SessionState, _ budget: Int, _ writer: inout JSONWriter
    ) -> Bool {
        if areTraitsWritten { return true }
        let definitions = session.hierarchy.definitions
        while count < list.count {
            if writer.count >= budget { return false }
            let trait = list[count]
            count += 1
            let encoding = session.encodings.encoding(of: trait, in: definitions)
            let resolution = session.resolution(trait, at: node, options)
            if options.specified, resolution.value == encoding.definition.defaultValue { continue }
            writer.member(encoding.member)
            if options.explain {
                writer.beginObject()
                session.writeExplained(trait, at: node, encoding, options, into: &writer)
                writer.endObject()
            } else {
                encoding.write(resolution.value, into: &writer)
            }
            hasWritten = true
        }
        writer.endObject()
        areTraitsWritten = true
        return true
    }

    /// `"colors":{NAME:{"value","variant","dependsOn"},…},"images":{…}`. Returns whether they are complete.
    private mutating func writeDynamics(
        _ session: SessionState, _ budget: Int, _ writer: inout JSONWriter
    ) -> Bool {
        if areDynamicsWritten { return true }
        while dynamicsCount < dynamics.count {
            if writer.count >= budget { return false }
            let value = dynamics[dynamicsCount]
            let previous = dynamicsCount > 0 ? dynamics[dynamicsCount - 1].kind : nil
            if value.kind != previous {
                if previous != nil { writer.endObject() }
                writer.beginObject(value.kind == .color ? "colors" : "images")
            }
            dynamicsCount += 1
            let choice = session.hierarchy.choice(of: value, at: node)
            writer.key(value.name)
            writer.beginObject()
            DynamicWriter.writeChoice(
                choice, of: value, with: &session.encodings, into: &writer)
            writer.endObject()
        }
        if !dynamics.isEmpty { writer.endObject() }
        areDynamicsWritten = true
        return true
    }

    /// `"environment":{KEY:value,…}`, with `explain` `{"value","source"}` of each. Returns whether it is complete.
    private mutating func writeEnvironment(
        _ session: SessionState, _ budget: Int, _ writer: inout JSONWriter
    ) -> Bool {
        guard !keys.isEmpty else { return true }
        if keysCount == 0 { writer.beginObject("environment") }
        while keysCount < keys.count {
            if keysCount > 0, writer.count >= budget { return false }
            let key = keys[keysCount]
            keysCount += 1
            // The session has the key, so this never fails.
            guard
                let resolution = try? session.hierarchy.environment(key.key, at: node)
            else { continue }
            writer.key(key.key)
            let encoding = TraitEncoding(key.definition)
            guard options.explain else {
                encoding.write(resolution.value, into: &writer)
                continue
            }
            writer.beginObject()
            writer.key("value")
            encoding.write(resolution.value, into: &writer)
            writer.key("source")
            session.write(resolution.source, into: &writer)
            writer.endObject()
        }
        writer.endObject()
        return true
    }
}
