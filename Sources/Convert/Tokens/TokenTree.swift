// All tokens of all sources in one tree. A path may have several declarations, each under a condition; the last one
// that holds counts, and what a group declares itself counts before what it extends.

import JSONCodec

final class TokenTree {
    /// A group, a token, or both.
    final class Node {
        let name: String
        /// The tree keeps all nodes.
        unowned let parent: Node?
        fileprivate(set) var children: [Node] = []
        private var byName: [String: Node] = [:]
        /// From the weakest to the strongest.
        fileprivate(set) var declarations: [Declaration] = []
        fileprivate var extensions: [Extension] = []
        fileprivate var state = State.unread

        fileprivate enum State { case unread, reading, read }

        init(_ name: String, in parent: Node? = nil) {
            self.name = name
            self.parent = parent
        }

        func child(_ name: some StringProtocol) -> Node? { byName[String(name)] }

        fileprivate func addChild(_ name: String) -> Node {
            if let found = byName[name] { return found }
            let node = Node(name, in: self)
            byName[name] = node
            children.append(node)
            return node
        }

        /// The names from the root.
        var path: [String] {
            var names: [String] = []
            var node: Node? = self
            while let next = node, next.parent != nil {
                names.append(next.name)
                node = next.parent
            }
            return names.reversed()
        }
    }

    struct Declaration {
        /// All have to hold.
        let conditions: [TokenCondition]
        /// The `$value`, or the token with a `$ref`.
        let value: SourceValue
    }

    fileprivate struct Extension {
        let condition: TokenCondition?
        let target: [String]
        let reference: SourceValue
    }

    let root = Node("")
    /// Paths with a token, in the order of the sources.
    private(set) var tokens: [Node] = []
    private var count = 0

    /// Groups that extend one another may have many more tokens than the files.
    private static let nodesMax = 200_000
    /// Groups inside one another, and groups that extend one another in a row.
    private static let depthMax = 250
    private var depth = 0

    init(_ sources: [TokenSource]) throws(ConversionError) {
        for source in sources { try add(source.root, source.condition, to: root) }
        try extend(root)
        collect(root)
    }

    /// Recursion ends with the depth of the file, which `JSONTape` bounds.
    private func add(
        _ group: SourceValue, _ condition: TokenCondition?, to node: Node
    ) throws(ConversionError) {
        for (name, value) in group.members {
            if name.hasPrefix("$"), name != "$root" {
                if name == "$extends" || (name == "$ref" && node !== root) {
                    let target = try Self.reference(value)
                    node.extensions.append(
                        Extension(condition: condition, target: target, reference: value))
                }
                continue
            }
            guard value.json.kind == .object else {
                throw value.error("a token or a group is an object; a value stands in '$value'")
            }
            let child = try addChild(name, to: node, at: value)
            if let token = value.member("$value") {
                child.declarations.append(
                    Declaration(conditions: condition.map { [$0] } ?? [], value: token))
            } else if value.member("$ref") != nil, Self.isToken(value) {
                child.declarations.append(
                    Declaration(conditions: condition.map { [$0] } ?? [], value: value))
            } else {
                try add(value, condition, to: child)
            }
        }
    }

    /// Whether an object with a `$ref` has no tokens of its own. Then `extend` finds out whether the target is a group.
    private static func isToken(_ value: SourceValue) -> Bool {
        value.json.members.allSatisfy { $0.key.bytes.first == UInt8(ascii: "$") }
    }

    private func addChild(
        _ name: String, to node: Node, at value: SourceValue
    ) throws(ConversionError) -> Node {
        if let found = node.child(name) { return found }
        count += 1
        guard count <= Self.nodesMax else {
            throw value.error("there are more than \(Self.nodesMax) groups and tokens")
        }
        return node.addChild(name)
    }

    /// The path of `{a.b}` or of `#/a/b`.
    static func reference(_ value: SourceValue) throws(ConversionError) -> [String] {
        let text = try value.string()
        if let path = path(ofAlias: text) { return path }
        if text.hasPrefix("#/") { return SourceValue.tokens(of: text) }
        throw value.error("'\(text)' is no reference: {group.token} and #/group/token are some")
    }

    /// The path of `{a.b}`; nil for any other text.
    static func path(ofAlias text: String) -> [String]? {
        guard text.hasPrefix("{"), text.hasSuffix("}"), text.utf8.count > 2 else { return nil }
        let inner = text.dropFirst().dropLast()
        if inner.contains("{") || inner.contains("}") { return nil }
        return inner.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    func node(at path: some Sequence<String>) -> Node? {
        var node = root
        for name in path {
            guard let next = node.child(name) else { return nil }
            node = next
        }
        return node
    }

    // MARK: - Groups that extend others

    /// Copies into each group what it extends, below what it declares itself.
    private func extend(_ node: Node) throws(ConversionError) {
        if node.state == .read { return }
        node.state = .reading
        depth += 1
        defer { depth -= 1 }
        // A token that refers to a group stands for that group.
        for declaration in node.declarations {
            guard let reference = declaration.value.member("$ref") else { continue }
            let path = try Self.reference(reference)
            if !path.contains("$value"), let target = self.node(at: path),
                target.declarations.isEmpty,
                target !== node
            {
                node.extensions.append(
                    Extension(
                        condition: declaration.conditions.first, target: path, reference: reference)
                )
                node.declarations.removeAll { $0.value.pointer == declaration.value.pointer }
            }
        }
        for own in node.extensions.reversed() {
            guard let target = self.node(at: own.target), target.declarations.isEmpty else {
                throw own.reference.error(
                    "'\(own.target.joined(separator: "."))' is no group")
            }
            var above: Node? = node
            while let next = above {
                if next === target { throw Self.cycle(target, own.reference) }
                above = next.parent
            }
            if target.state == .reading { throw Self.cycle(target, own.reference) }
            guard depth < Self.depthMax else {
                throw own.reference.error("more than \(Self.depthMax) groups extend one another")
            }
            try extend(target)
            try copy(target, to: node, own.condition, own.reference)
        }
        for child in node.children { try extend(child) }
        node.state = .read
    }

    private static func cycle(_ node: Node, _ reference: SourceValue) -> ConversionError {
        reference.error(
            "the groups extend one another in a circle, by way of '\(node.path.joined(separator: "."))'"
        )
    }

    private func copy(
        _ source: Node, to node: Node, _ condition: TokenCondition?, _ reference: SourceValue
    ) throws(ConversionError) {
        for child in source.children {
            let copy = try addChild(child.name, to: node, at: reference)
            let weaker = child.declarations.map {
                Declaration(
                    conditions: $0.conditions + (condition.map { [$0] } ?? []), value: $0.value)
            }
            copy.declarations = weaker + copy.declarations
            try self.copy(child, to: copy, condition, reference)
        }
    }

    private func collect(_ node: Node) {
        if !node.declarations.isEmpty { tokens.append(node) }
        for child in node.children { collect(child) }
    }
}
