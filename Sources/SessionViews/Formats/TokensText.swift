// The values of a node as a file of design tokens (Design Tokens Format Module 2025.10), and as the input of a
// resolver. The format has numbers and colours of those that traits have; what it lacks goes beside the tokens, and
// no type is invented.

import JSONCodec
import TraitEngine
import TraitSessions

/// A token file or an input, and how much of it is written.
package struct TokensText: Sendable {
    private enum Step: Sendable {
        case open(String)
        case close
        /// A number, dimension, duration or colour that a trait has.
        case value(name: String, TraitIndex)
        case color(name: String, DynamicValue)
        /// A member of the input.
        case input(TraitIndex)
        /// A member of `traits` beside the tokens.
        case other(TraitIndex)
        case openList(String)
        case text(String)
        case closeList
        /// `"session","uid","revision","node"`.
        case head
    }

    private let node: NodeIndex
    private let steps: [Step]
    private var count = 0

    /// - Parameter isInput: whether the text is the input alone. O(traits, colours and their variants).
    package init(at node: NodeIndex, in session: SessionState, isInput: Bool) {
        self.node = node
        let definitions = session.hierarchy.definitions
        var numbers = TokenGroup()
        var others: [TraitIndex] = []
        var inputs: [TraitIndex] = []
        var skipped: [String] = []
        for trait in definitions.inCatalogueOrder(definitions.settable) {
            let definition = session.encodings.encoding(of: trait, in: definitions).definition
            if definition.isUnset(session.hierarchy.value(of: trait, at: node)) { continue }
            switch definition.type {
            case .bool, .enumeration, .stringEnumeration: inputs.append(trait)
            case .int, .double, .string:
                guard session.tokenType(of: trait, at: node) != nil else {
                    others.append(trait)
                    continue
                }
                if !numbers.insert(definition.key, { .value(name: $0, trait) }) {
                    skipped.append("traits/\(definition.key)")
                }
            case .structure, .json, .opaque: others.append(trait)
            }
        }
        if isInput {
            steps = [.open("")] + inputs.map { .input($0) } + [.close]
            return
        }
        var colors = TokenGroup()
        let tape = JSONTape()
        for color in definitions.dynamics(.color) {
            let value = color.variants[session.hierarchy.choice(of: color, at: node)].value
            let isToken =
                ColorForm.tokenForm(value, tape) != nil
                && colors.insert(color.name) { .color(name: $0, color) }
            if !isToken { skipped.append("colors/\(color.name)") }
        }
        var steps: [Step] = [.open("")]
        steps += numbers.steps(in: "traits") + colors.steps(in: "colors")
        steps += [.open("$extensions"), .open(Self.vendor), .head, .open("input")]
        steps += inputs.map { .input($0) } + [.close, .open("traits")]
        steps += others.map { .other($0) } + [.close, .openList("skipped")]
        steps += skipped.map { .text($0) } + [.closeList, .close, .close, .close]
        self.steps = steps
    }

    private static let vendor = "dev.traitd"

    /// Writes on until the writer has `budget` bytes.
    ///
    /// - Returns: whether that is all.
    package mutating func write(
        from session: SessionState, budget: Int, into writer: inout JSONWriter
    ) -> Bool {
        let tape = JSONTape()
        if count > 0, !Self.opens(steps[count - 1]) { writer.separate() }
        while count < steps.count {
            if writer.count >= budget { return false }
            write(steps[count], session, tape, &writer)
            count += 1
        }
        writer.newline()
        return true
    }

    private static func opens(_ step: Step) -> Bool {
        switch step {
        case .open, .openList: true
        default: false
        }
    }

    private func write(
        _ step: Step, _ session: SessionState, _ tape: JSONTape, _ writer: inout JSONWriter
    ) {
        switch step {
        case .open(let name):
            if !name.isEmpty { writer.key(name) }
            writer.beginObject()
        case .close: writer.endObject()
        case .openList(let name):
            writer.key(name)
            writer.beginArray()
        case .closeList: writer.endArray()
        case .text(let text): writer.value(text)
        case .value(let name, let trait): write(value: trait, name, session, &writer)
        case .color(let name, let color): write(color, name, session, tape, &writer)
        case .input(let trait): session.writeInput(trait, at: node, into: &writer)
        case .other(let trait):
            let encoding = session.encodings.encoding(of: trait, in: session.hierarchy.definitions)
            writer.member(encoding.member)
            let value = session.hierarchy.value(of: trait, at: node)
            if encoding.definition.notes.unit != nil {
                writer.value(String(decoding: encoding.definition.styleText(value), as: UTF8.self))
            } else {
                encoding.write(value, into: &writer)
            }
        case .head:
            writer.member("session", session.name)
            writer.member("uid", session.uid)
            writer.member("revision", session.head)
            writer.member("node", node, of: session.hierarchy)
        }
    }

    private func write(
        value trait: TraitIndex, _ name: String, _ session: SessionState,
        _ writer: inout JSONWriter
    ) {
        let hierarchy = session.hierarchy
        let encoding = session.encodings.encoding(of: trait, in: hierarchy.definitions)
        let definition = encoding.definition
        let resolution = hierarchy.resolve(trait, at: node)
        writer.key(name)
        writer.beginObject()
        writer.member("$type", session.tokenType(of: trait, at: node) ?? "number")
        writer.key("$value")
        if let unit = definition.notes.unit {
            writer.beginObject()
            writer.key("value")
            encoding.write(resolution.value, into: &writer)
            writer.member("unit", unit)
            writer.endObject()
        } else if case .string(let text) = resolution.value {
            ColorForm.writeToken(text: text, into: &writer)
        } else {
            encoding.write(resolution.value, into: &writer)
        }
        if definition.name != definition.key { writer.member("$description", definition.name) }
        Self.extended(&writer) { writer in
            writer.member("trait", definition.key)
            writer.member("source", resolution.source.kind.name)
            if let node = resolution.source.node {
                writer.member("node", node, of: hierarchy)
            } else if let node = resolution.source.deletedNode {
                writer.member("node", hierarchy.identifier(of: node))
            }
            writer.member("revision", ifPresent: resolution.source.revision)
        }
        writer.endObject()
    }

    private func write(
        _ color: DynamicValue, _ name: String, _ session: SessionState, _ tape: JSONTape,
        _ writer: inout JSONWriter
    ) {
        let index = session.hierarchy.choice(of: color, at: node)
        let value = color.variants[index].value
        writer.key(name)
        writer.beginObject()
        writer.member("$type", (ColorForm.tokenForm(value, tape) ?? .color).rawValue)
        writer.key("$value")
        ColorForm.writeToken(value, tape, into: &writer)
        Self.extended(&writer) { writer in
            writer.member("color", color.name)
            writer.member("source", "variant" as StaticString)
            writer.member("variant", index)
        }
        writer.endObject()
    }

    /// `"$extensions"` of the open token.
    private static func extended(
        _ writer: inout JSONWriter, _ members: (inout JSONWriter) -> Void
    ) {
        writer.beginObject("$extensions")
        writer.key(vendor)
        writer.beginObject()
        members(&writer)
        writer.endObject()
        writer.endObject()
    }

    /// Tokens by the segments of their names. Where a token and a group meet, the token is the group's `$root`.
    private struct TokenGroup {
        private struct Group {
            var token: ((String) -> Step)?
            /// In the order in which they came.
            var members: [(name: String, group: Int)] = []
            var places: [String: Int] = [:]
        }

        private var groups = [Group()]

        /// Adds a token; returns false for a name with an empty segment.
        mutating func insert(_ name: String, _ token: @escaping (String) -> Step) -> Bool {
            let segments = name.split(separator: ".", omittingEmptySubsequences: false)
            guard segments.allSatisfy({ !$0.isEmpty }) else { return false }
            var place = 0
            for segment in segments.map(String.init) {
                if let next = groups[place].places[segment] {
                    place = next
                    continue
                }
                groups.append(Group())
                groups[place].places[segment] = groups.count - 1
                groups[place].members.append((segment, groups.count - 1))
                place = groups.count - 1
            }
            groups[place].token = token
            return true
        }

        /// The steps that write all as one group; none for no tokens. A name has at most 128 bytes, which bounds
        /// the recursion.
        func steps(in name: String) -> [Step] {
            groups.count == 1 ? [] : steps(of: 0, name)
        }

        private func steps(of place: Int, _ name: String) -> [Step] {
            let group = groups[place]
            if group.members.isEmpty { return group.token.map { [$0(name)] } ?? [] }
            var steps: [Step] = [.open(name)]
            if let token = group.token { steps.append(token("$root")) }
            for member in group.members { steps += self.steps(of: member.group, member.name) }
            return steps + [.close]
        }
    }
}

extension SessionState {
    /// The type of the token for a number or a text; nil for a unit, and a text, that tokens do not have.
    fileprivate func tokenType(of trait: TraitIndex, at node: NodeIndex) -> StaticString? {
        let definition = hierarchy.definitions[trait]
        switch (definition.type, definition.notes.unit) {
        case (.string, _):
            guard definition.notes.isCSS,
                case .string(let text) = hierarchy.value(of: trait, at: node),
                ColorForm.isToken(text: text)
            else { return nil }
            return "color"
        case (_, nil): return "number"
        case (_, "px"), (_, "rem"): return "dimension"
        case (_, "ms"), (_, "s"): return "duration"
        default: return nil
        }
    }

    /// A boolean or a case as a member of the input: `"theme":"bold"`.
    fileprivate func writeInput(
        _ trait: TraitIndex, at node: NodeIndex, into writer: inout JSONWriter
    ) {
        let encoding = encodings.encoding(of: trait, in: hierarchy.definitions)
        writer.member(encoding.member)
        _ = encoding.writeVariant(hierarchy.value(of: trait, at: node), into: &writer)
    }
}
