// The values of a node, or of a node and those below it, as a style sheet. A sheet can be of any length, so it is
// written in parts.

import JSONCodec
import TraitEngine
import TraitJSON
import TraitSessions

/// The request for a style sheet, with names that are not looked up yet.
package struct StyleOptions: Sendable {
    package enum Colors: Sendable {
        case none, all
        case named([String])
    }

    /// Whether the sheet also has a rule for each node below that differs from its trait parent.
    package var hasSubtree = false
    /// The selector of the node's own rule; nil for the default.
    package var selector: String?
    /// The attribute with the node in selectors.
    package var attribute = "data-node"
    /// The prefix of the properties' names.
    package var prefix = ""
    package var layer: String?
    package var colors = Colors.none
    package var hasColors: Bool { if case .none = colors { false } else { true } }
    package var hasColorScheme = false
    /// Whether the node's own rule leaves out values that are the default.
    package var specified = false
    /// Whether the node's own rule has system traits that are unset.
    package var hasUnset = false

    package init() {}
}

/// A style sheet, and how much of it is written.
package struct StyleSheetText: Sendable {
    private let node: NodeIndex
    private let options: StyleOptions
    private let prefix: [UInt8]
    private let traits: TraitSet
    private let colors: [StyleColor]
    /// The last visited node; nil before the first rule.
    private var last: NodeIndex?
    private var rule: Rule?
    private var hasBegun = false

    /// A colour with the name of its property.
    private struct StyleColor: Sendable {
        let value: DynamicValue
        let name: [UInt8]
    }

    private enum Declaration: Sendable {
        case trait(TraitIndex)
        /// The position of a colour.
        case color(Int)
        case colorScheme
    }

    /// A rule that is partly written.
    private struct Rule: Sendable {
        let node: NodeIndex
        let declarations: [Declaration]
        var count = 0
    }

    /// Nodes that one part visits at most.
    private static let visitsMax = 10_000

    /// - Throws: `unknownColor` for a name in the options.
    package init(
        _ traits: TraitSet, at node: NodeIndex, _ options: StyleOptions, in session: SessionState
    ) throws(SessionError) {
        self.node = node
        self.traits = traits
        self.options = options
        prefix = Array(options.prefix.utf8)
        var colors: [StyleColor] = []
        for value in try session.colors(options.colors) {
            var name = Array("color-".utf8)
            StyleText.append(name: value.name.utf8, to: &name)
            colors.append(StyleColor(value: value, name: name))
        }
        self.colors = colors
    }

    /// Writes the sheet of one node in one part, from the prepared lines of its traits, unless it takes more than
    /// `budget` bytes.
    ///
    /// - Returns: whether that is all; if not, the writer has a beginning.
    package func writeAtOnce(
        from session: SessionState, budget: Int, into writer: inout JSONWriter
    ) -> Bool {
        if options.hasSubtree || options.specified {
            var all = self
            return all.write(from: session, budget: budget, into: &writer)
        }
        begin(session, &writer)
        beginRule(node, session, &writer)
        session.writeStyles(
            traits, at: node, prefix, budget: budget, hasUnset: options.hasUnset, into: &writer)
        if !colors.isEmpty || options.hasColorScheme {
            let tape = JSONTape()
            for position in colors.indices where writer.count < budget {
                write(.color(position), at: node, session, tape, &writer)
            }
            if options.hasColorScheme { write(.colorScheme, at: node, session, tape, &writer) }
        }
        writer.verbatim("}\n")
        end(&writer)
        return writer.count < budget
    }

    /// Writes on until the writer has `budget` bytes, or many nodes were visited.
    ///
    /// - Returns: whether that is all.
    package mutating func write(
        from session: SessionState, budget: Int, into writer: inout JSONWriter
    ) -> Bool {
        let tape = JSONTape()
        if !hasBegun {
            hasBegun = true
            begin(session, &writer)
            rule = Rule(node: node, declarations: ownDeclarations(session))
            last = node
            beginRule(node, session, &writer)
        }
        if rule != nil, !goOn(session, budget, tape, &writer) { return false }
        guard options.hasSubtree else {
            end(&writer)
            return true
        }
        var visits = 0
        var isWhole = true
        var comparison = StyleComparison(session.hierarchy)
        session.hierarchy.forEachNode(under: node, after: last) { below, _ in
            if writer.count >= budget || visits == Self.visitsMax {
                isWhole = false
                return .stop
            }
            visits += 1
            last = below
            let declarations = differences(at: below, session, &comparison)
            if declarations.isEmpty { return .descend }
            rule = Rule(node: below, declarations: declarations)
            beginRule(below, session, &writer)
            isWhole = goOn(session, budget, tape, &writer)
            return isWhole ? .descend : .stop
        }
        guard isWhole else { return false }
        end(&writer)
        return true
    }

    private func begin(_ session: SessionState, _ writer: inout JSONWriter) {
        // Identifiers have no characters that end a comment.
        writer.verbatim("/* traitd ")
        writer.verbatim(session.name)
        writer.verbatim(" revision ")
        writer.value(session.head)
        writer.verbatim(" node ")
        session.hierarchy.withIdentifier(of: node) { writer.verbatim($0) }
        writer.verbatim(" */\n")
        if let layer = options.layer { writer.verbatim("@layer \(layer) {\n") }
    }

    private func end(_ writer: inout JSONWriter) {
        if options.layer != nil { writer.verbatim("}\n") }
    }

    private func beginRule(
        _ node: NodeIndex, _ session: SessionState, _ writer: inout JSONWriter
    ) {
        if node == self.node, let selector = options.selector {
            writer.verbatim(selector)
        } else if node == self.node, !options.hasSubtree {
            writer.verbatim(":root")
        } else {
            writer.verbatim("[")
            writer.verbatim(options.attribute)
            writer.verbatim("=\"")
            session.hierarchy.withIdentifier(of: node) { writer.verbatim($0) }
            writer.verbatim("\"]")
        }
        writer.verbatim(" {\n")
    }

    /// Continues the rule that is partly written. Returns whether the rule is complete.
    private mutating func goOn(
        _ session: SessionState, _ budget: Int, _ tape: JSONTape, _ writer: inout JSONWriter
    ) -> Bool {
        guard var rule else { return true }
        while rule.count < rule.declarations.count {
            if writer.count >= budget {
                self.rule = rule
                return false
            }
            write(rule.declarations[rule.count], at: rule.node, session, tape, &writer)
            rule.count += 1
        }
        self.rule = nil
        writer.verbatim("}\n")
        return true
    }

    private func write(
        _ declaration: Declaration, at node: NodeIndex, _ session: SessionState, _ tape: JSONTape,
        _ writer: inout JSONWriter
    ) {
        switch declaration {
        case .trait(let trait):
            let encoding = session.encodings.encoding(of: trait, in: session.hierarchy.definitions)
            encoding.definition.writeStyle(
                session.hierarchy.value(of: trait, at: node), names: encoding.styleNames,
                prefix: prefix, into: &writer)
        case .color(let position):
            let color = colors[position]
            writer.declaration(prefix, color.name) {
                ColorForm.writeStyle(
                    session.hierarchy.value(of: color.value, at: node), tape, into: &$0)
            }
        case .colorScheme:
            writer.verbatim("  color-scheme: \(session.colorScheme(at: node));\n")
        }
    }

    private func ownDeclarations(_ session: SessionState) -> [Declaration] {
        let definitions = session.hierarchy.definitions
        var all: [Declaration] = []
        for trait in definitions.inCatalogueOrder(traits) {
            if options.specified || !options.hasUnset && definitions[trait].isSystem,
                session.hierarchy.value(of: trait, at: node) == definitions[trait].defaultValue
            {
                continue
            }
            all.append(.trait(trait))
        }
        all += colors.indices.map { .color($0) }
        return options.hasColorScheme ? all + [.colorScheme] : all
    }

    /// The declarations in the rule of a node below: all that differ from the node's trait parent.
    private func differences(
        at node: NodeIndex, _ session: SessionState, _ comparison: inout StyleComparison
    ) -> [Declaration] {
        let hierarchy = session.hierarchy
        let changed = comparison.changed(at: node)
        guard !changed.isEmpty, let parent = hierarchy.traitParent(of: node) else { return [] }
        let mine = changed.intersection(traits)
        var all: [Declaration] = hierarchy.definitions.inCatalogueOrder(mine).map { .trait($0) }
        for (position, color) in colors.enumerated()
        where !color.value.dependsOn.isDisjoint(with: changed)
            && hierarchy.value(of: color.value, at: node)
                != hierarchy.value(of: color.value, at: parent)
        {
            all.append(.color(position))
        }
        if options.hasColorScheme,
            session.colorScheme(at: node) != session.colorScheme(at: parent)
        {
            all.append(.colorScheme)
        }
        return all
    }
}

/// Compares nodes with their trait parents. Siblings come one after another, so the values of a parent are kept.
private struct StyleComparison {
    private let hierarchy: Hierarchy
    private let traits: TraitSet
    private var parent: NodeIndex?
    private var above: [UInt64] = []

    init(_ hierarchy: Hierarchy) {
        self.hierarchy = hierarchy
        traits = hierarchy.definitions.settable
    }

    /// The traits whose values differ from those of the trait parent. O(1) for a node that sets no value.
    mutating func changed(at node: NodeIndex) -> TraitSet {
        var changed = TraitSet()
        if hierarchy.inheritsAll(node) { return changed }
        guard let parent = hierarchy.traitParent(of: node) else { return changed }
        if parent != self.parent {
            above.removeAll(keepingCapacity: true)
            hierarchy.words(of: traits, at: parent) { above.append($1) }
            self.parent = parent
        }
        var position = 0
        hierarchy.words(of: traits, at: node) { trait, word in
            if above[position] != word { changed.insert(trait) }
            position += 1
        }
        return changed
    }
}

extension Hierarchy {
    /// The value of a colour at a node, as compact JSON.
    fileprivate func value(of color: DynamicValue, at node: NodeIndex) -> String {
        color.variants[choice(of: color, at: node)].value
    }
}

extension SessionState {
    private static let userInterfaceStyle =
        TraitDefinitions.system.index(of: "userInterfaceStyle") ?? TraitIndex(rawValue: 1)

    /// `light`, `dark` or `normal`, as the property `color-scheme` takes them.
    fileprivate func colorScheme(at node: NodeIndex) -> String {
        let trait = Self.userInterfaceStyle
        let name = hierarchy.definitions[trait].caseName(of: hierarchy.value(of: trait, at: node))
        return name == "light" || name == "dark" ? name ?? "normal" : "normal"
    }

    /// The colours of a sheet, in the order in which they were defined.
    fileprivate func colors(
        _ asked: StyleOptions.Colors
    ) throws(SessionError) -> [DynamicValue] {
        switch asked {
        case .none: return []
        case .all: return hierarchy.definitions.dynamics(.color)
        case .named(let names):
            for name in names where hierarchy.definitions.dynamic(.color, named: name) == nil {
                throw unknownDynamic(.color, name).inside(at: nil).with("parameter", "colors")
            }
            return hierarchy.definitions.dynamics(.color).filter { names.contains($0.name) }
        }
    }

    /// Writes the declarations of traits, unless the writer has `budget` bytes before the last one.
    fileprivate func writeStyles(
        _ traits: TraitSet, at node: NodeIndex, _ prefix: [UInt8], budget: Int, hasUnset: Bool,
        into writer: inout JSONWriter
    ) {
        if !encodings.have(traits) { encodings.make(traits, in: hierarchy.definitions) }
        // In another module each access of a variable of the state is checked.
        let encodings = encodings
        forEachWord(of: traits, at: node) { trait, word in
            if !hasUnset, hierarchy.isUnset(word, of: trait) { return }
            if prefix.isEmpty, let line = encodings.prepared(trait).styleLine(for: word) {
                return writer.verbatim(line)
            }
            if writer.count >= budget { return }
            let encoding = encodings[trait]
            let value = hierarchy.value(from: word, of: trait)
            if let text = encoding.styleText(of: value) {
                writer.declaration(prefix, encoding.styleNames[0]) { writer in
                    text.withUnsafeBytes { writer.verbatim($0) }
                }
                return
            }
            encoding.definition.writeStyle(
                value, names: encoding.styleNames, prefix: prefix, into: &writer)
        }
    }
}
