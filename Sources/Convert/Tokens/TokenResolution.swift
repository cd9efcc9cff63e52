// The value of a token in one combination of contexts, and the modifiers that it depends on.

import JSONCodec

struct TokenResolution {
    /// The modifiers that were asked for since this was made.
    private(set) var read: Set<Int> = []

    private let tree: TokenTree
    private let modifiers: [TokenModifier]
    private var contexts: [Int: Int] = [:]
    /// The tokens whose values are being written, for messages about cycles.
    private var path: [TokenTree.Node] = []
    private var depth = 0

    /// References and objects inside one another.
    private static let depthMax = 500
    /// Values that refer to values may be much longer than the files.
    private static let valueBytesMax = 65_536

    init(_ tree: TokenTree, _ modifiers: [TokenModifier]) {
        self.tree = tree
        self.modifiers = modifiers
    }

    /// Begins another combination. A modifier that is not in it has its default.
    mutating func begin(_ contexts: [Int: Int]) { self.contexts = contexts }

    /// The value as JSON, without references; nil when no declaration holds.
    mutating func value(
        of token: TokenTree.Node
    ) throws(ConversionError) -> (value: [UInt8], source: SourceValue)? {
        guard let declaration = declaration(of: token) else { return nil }
        var json = JSONWriter(capacity: 128)
        path = []
        depth = 0
        try write(token, declaration, into: &json)
        return (json.array(), declaration.value)
    }

    private mutating func declaration(of token: TokenTree.Node) -> TokenTree.Declaration? {
        for declaration in token.declarations.reversed() {
            var holds = true
            for condition in declaration.conditions {
                read.insert(condition.modifier)
                let context =
                    contexts[condition.modifier] ?? modifiers[condition.modifier].defaultContext
                if context != condition.context { holds = false }
            }
            if holds { return declaration }
        }
        return nil
    }

    private mutating func write(
        _ token: TokenTree.Node, _ declaration: TokenTree.Declaration, into json: inout JSONWriter
    ) throws(ConversionError) {
        if path.contains(where: { $0 === token }) {
            let names = (path.drop { $0 !== token } + [token]).map {
                "{" + $0.path.joined(separator: ".") + "}"
            }
            throw declaration.value.error(
                "the aliases \(names.joined(separator: " → ")) go in a circle")
        }
        path.append(token)
        defer { path.removeLast() }
        try write(declaration.value, into: &json)
    }

    private mutating func write(
        _ value: SourceValue, into json: inout JSONWriter
    ) throws(ConversionError) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthMax, json.count <= Self.valueBytesMax else {
            throw value.error(
                "a value with its references has more than \(Self.valueBytesMax) bytes, or more than \(Self.depthMax) of them inside one another"
            )
        }
        switch value.json.kind {
        case .string:
            if let target = TokenTree.path(ofAlias: try value.string()) {
                return try follow(target, at: value, into: &json)
            }
            json.copy(value.json)
        case .array:
            json.beginArray()
            for element in try value.elements() { try write(element, into: &json) }
            json.endArray()
        case .object:
            if let reference = value.member("$ref") {
                let target = try TokenTree.reference(reference)
                return try follow(target, at: reference, into: &json)
            }
            json.beginObject()
            for (name, member) in value.members {
                json.key(name)
                try write(member, into: &json)
            }
            json.endObject()
        default: json.copy(value.json)
        }
    }

    /// Writes the value of another token, or a part of it: `#/token/$value/components/0`.
    private mutating func follow(
        _ target: [String], at reference: SourceValue, into json: inout JSONWriter
    ) throws(ConversionError) {
        let text = target.joined(separator: ".")
        let names = target.prefix { $0 != "$value" }
        guard let token = tree.node(at: names), !token.declarations.isEmpty else {
            throw reference.error("'\(text)' is an alias to nothing")
        }
        guard let declaration = declaration(of: token) else {
            throw reference.error(
                "'\(text)' is an alias to nothing where \(self.describedContexts)")
        }
        let rest = target.dropFirst(names.count + 1)
        if rest.isEmpty { return try write(token, declaration, into: &json) }
        var value = declaration.value
        for (place, name) in rest.enumerated() {
            // The way may go through an alias.
            if value.json.kind == .string,
                let next = TokenTree.path(ofAlias: try value.string())
            {
                if path.contains(where: { $0 === token }) || depth >= Self.depthMax {
                    throw reference.error("'\(text)' goes in a circle")
                }
                path.append(token)
                depth += 1
                defer {
                    path.removeLast()
                    depth -= 1
                }
                return try follow(
                    next + ["$value"] + rest.dropFirst(place), at: reference, into: &json)
            }
            guard let next = value.child(name) else {
                throw reference.error("'\(text)' leads to nothing: there is no '\(name)'")
            }
            value = next
        }
        try write(value, into: &json)
    }

    private var describedContexts: String {
        modifiers.indices.map {
            "\(modifiers[$0].name) is \(modifiers[$0].contexts[contexts[$0] ?? modifiers[$0].defaultContext])"
        }.joined(separator: " and ")
    }
}
