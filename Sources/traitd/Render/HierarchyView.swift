// The nodes and traits of a hierarchy that `traitd render` prints, and their values.

import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

/// The nodes and traits to print.
struct HierarchyView {
    let session: Session
    let root: NodeIndex?
    /// The traits to print; nil prints at each node the traits that are set there.
    private let named: TraitSet?
    /// The definitions before any change.
    let definitionsAtStart: TraitDefinitions

    /// A node with its values and their sources.
    struct Values: Equatable {
        let node: NodeIndex
        /// The node's identifier. A change may delete the node and give its index to another one.
        let name: String
        let resolutions: [TraitIndex: Resolution]

        /// Compares the values, not their sources: `--exit-code` reports changed values only.
        static func == (left: Values, right: Values) -> Bool {
            left.name == right.name
                && left.resolutions.mapValues(\.value) == right.resolutions.mapValues(\.value)
        }
    }

    /// - Throws: `unknownNode`, `unknownTrait`.
    init(_ session: Session, under node: String?, traits: String?) throws(SessionError) {
        self.session = session
        definitionsAtStart = session.withState(\.hierarchy.definitions)
        root = try session.withState { state throws(SessionError) in
            try node.map { name throws(SessionError) in try state.node(named: name, "node") }
        }
        guard let traits else {
            named = nil
            return
        }
        let names = traits.parts(at: UInt8(ascii: ","))
        named = try session.withState { state throws(SessionError) in
            try state.traits(.names(names))
        }
    }

    var definitions: TraitDefinitions { session.withState(\.hierarchy.definitions) }

    /// Whether the traits to print were named.
    var isNamed: Bool { named != nil }

    /// The traits whose values are read, in catalogue order. Only traits that are defined now, as a change
    /// may define and delete traits.
    var read: [TraitIndex] {
        let definitions = definitions
        let all = definitions.inCatalogueOrder(definitions.settable)
        guard let named else { return all }
        return all.filter { trait in
            // A change may delete a trait and give its index to another one.
            named.contains(trait)
                && definitions.definition(at: trait) == definitionsAtStart.definition(at: trait)
        }
    }

    /// The values of every node, in tree order. O(nodes × traits).
    func values() -> [Values] {
        let read = read
        return session.withState { state in
            let hierarchy = state.hierarchy
            var all: [Values] = []
            hierarchy.forEachNode(under: root) { node, _ in
                all.append(
                    Values(
                        node: node, name: hierarchy.identifier(of: node),
                        resolutions: Dictionary(
                            uniqueKeysWithValues: read.map {
                                ($0, hierarchy.resolve($0, at: node))
                            })))
                return .descend
            }
            return all
        }
    }

    /// The answer of `GET …/nodes/{node}/traits?explain=true` for every node, a line each.
    func writeJSON(to output: OutputFile) {
        var options = TraitListing()
        options.explain = true
        options.specified = !isNamed
        let set = TraitSet(read)
        session.withState { state in
            state.hierarchy.forEachNode(under: root) { node, _ in
                var writer = JSONWriter()
                var text = TraitsText(set, at: node, options)
                while !text.write(from: state, budget: .max, into: &writer) {}
                writer.array().withUnsafeBytes(output.write)
                return .descend
            }
        }
    }

    /// A value as JSON; a string of letters, digits, `.`, `_` and `-` has no quotes.
    func text(_ value: TraitValue, of trait: TraitIndex) -> String {
        var writer = JSONWriter()
        session.withState { state in
            state.encodings.encoding(of: trait, in: state.hierarchy.definitions)
                .write(value, into: &writer)
        }
        let json = String(decoding: writer.array(), as: UTF8.self)
        let word = json.dropFirst().dropLast()
        let isWord =
            json.hasPrefix("\"") && !word.isEmpty
            && word.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
        return isWord ? String(word) : json
    }

    func name(_ node: NodeIndex) -> String {
        session.withState { $0.hierarchy.identifier(of: node) }
    }
}
