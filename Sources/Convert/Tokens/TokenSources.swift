// The sources of a DTCG resolver document 2025.10, in the order of resolution: sets, and the contexts of modifiers.
// A token file alone is a document with one set.

import JSONCodec

/// A modifier of a resolver document. It becomes a trait.
struct TokenModifier {
    let name: String
    let contexts: [String]
    /// The position in `contexts`: the `default`, or the first one.
    let defaultContext: Int
    let value: SourceValue
}

/// A tree of tokens that holds always, or in one context of a modifier.
struct TokenSource {
    /// Positions of a modifier and of its context; nil for always.
    let condition: TokenCondition?
    let root: SourceValue
}

struct TokenCondition: Hashable {
    let modifier: Int
    let context: Int
}

/// Reads resolver documents and the files to which they refer.
struct TokenSources {
    /// Reads a file that another one refers to, by a path relative to the folder of that one.
    typealias Load = (_ path: String, _ base: String) throws(ConversionError) -> SourceFile

    private(set) var modifiers: [TokenModifier] = []
    private(set) var sources: [TokenSource] = []

    private let load: Load
    /// The references that are followed at the moment, for messages about cycles.
    private var following: [String] = []
    private static let followingMax = 100

    init(_ files: [SourceFile], load: @escaping Load) throws(ConversionError) {
        self.load = load
        for file in files {
            let root = try SourceValue(file).object()
            if root.member("resolutionOrder") != nil {
                try readResolver(root)
            } else {
                sources.append(TokenSource(condition: nil, root: root))
            }
        }
    }

    private mutating func readResolver(_ root: SourceValue) throws(ConversionError) {
        let version = try root.required("version")
        if try version.string() != "2025.10" {
            throw version.error("the version of a resolver document has to be \"2025.10\"")
        }
        var names: Set<String> = []
        for item in try root.required("resolutionOrder").elements() {
            var kind = try item.object().string("type")
            var name = try item.string("name")
            var target = item
            if let reference = item.member("$ref") {
                let text = try reference.string()
                let parts = text.split(separator: "/", omittingEmptySubsequences: false)
                guard parts.count == 3, parts[0] == "#",
                    parts[1] == "sets" || parts[1] == "modifiers"
                else {
                    throw reference.error(
                        "resolutionOrder refers to \"#/sets/NAME\" and \"#/modifiers/NAME\"")
                }
                kind = parts[1] == "sets" ? "set" : "modifier"
                name = SourceValue.unescaped(parts[2])
                target = try Self.follow(text, at: reference, in: root)
            }
            guard let kind, kind == "set" || kind == "modifier" else {
                throw item.error("'type' is \"set\" or \"modifier\"")
            }
            guard let name else { throw item.error("'name' is missing") }
            // A set and a modifier of one name are two things.
            guard names.insert("\(kind) \(name)").inserted else {
                throw item.error("the \(kind) '\(name)' stands in resolutionOrder twice")
            }
            if kind == "set" {
                for source in try target.object().required("sources").elements() {
                    try add(source, nil, in: root)
                }
            } else {
                try addModifier(named: name, target, in: root)
            }
        }
    }

    private mutating func addModifier(
        named name: String, _ value: SourceValue, in root: SourceValue
    ) throws(ConversionError) {
        let contexts = Array(try value.object().required("contexts").object().members)
        if contexts.isEmpty {
            throw value.error("the modifier '\(name)' needs at least one context")
        }
        let names = contexts.map(\.name)
        var defaultContext = 0
        if let member = value.member("default") {
            let text = try member.string()
            guard let place = names.firstIndex(of: text) else {
                throw member.error(
                    "'\(text)' is no context of '\(name)', which has \(names.joined(separator: ", "))"
                )
            }
            defaultContext = place
        }
        let modifier = modifiers.count
        modifiers.append(
            TokenModifier(
                name: name, contexts: names, defaultContext: defaultContext, value: value))
        for (position, context) in contexts.enumerated() {
            for source in try context.value.elements() {
                try add(source, TokenCondition(modifier: modifier, context: position), in: root)
            }
        }
    }

    /// Adds inline tokens, a file, or a set that a context refers to.
    private mutating func add(
        _ source: SourceValue, _ condition: TokenCondition?, in root: SourceValue
    ) throws(ConversionError) {
        guard let reference = try source.object().member("$ref") else {
            sources.append(TokenSource(condition: condition, root: source))
            return
        }
        let text = try reference.string()
        let key = "\(source.file.path) \(text)"
        if following.contains(key) {
            throw reference.error(
                "the references \((following + [key]).joined(separator: " → ")) go in a circle")
        }
        guard following.count < Self.followingMax else {
            throw reference.error("more than \(Self.followingMax) references lead to one another")
        }
        following.append(key)
        defer { following.removeLast() }
        let target: SourceValue
        if text.hasPrefix("#") {
            if text.hasPrefix("#/modifiers/") || text.hasPrefix("#/resolutionOrder") {
                throw reference.error("only resolutionOrder refers to modifiers")
            }
            target = try Self.follow(text, at: reference, in: root)
        } else {
            if text.contains("://") {
                throw reference.error("'\(text)' is no file here: only files are read")
            }
            let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let file: SourceFile
            do throws(ConversionError) {
                file = try load(String(parts[0]), source.file.path)
            } catch {
                throw reference.error(error.description)
            }
            let fragment = parts.count > 1 ? parts[1] : ""
            target = try Self.follow(
                "#" + (fragment.isEmpty || fragment.hasPrefix("/") ? fragment : "/" + fragment),
                at: reference, in: SourceValue(file))
        }
        // A set has its trees in `sources`.
        if let list = target.member("sources"), list.json.kind == .array {
            for source in try list.elements() {
                try add(source, condition, in: SourceValue(target.file))
            }
        } else if target.member("$ref") != nil {
            try add(target, condition, in: SourceValue(target.file))
        } else {
            sources.append(TokenSource(condition: condition, root: try target.object()))
        }
        // Members beside `$ref` override those of the target.
        if source.json.count > 1 {
            sources.append(TokenSource(condition: condition, root: source))
        }
    }

    /// The value that a pointer within a document leads to.
    static func follow(
        _ pointer: String, at reference: SourceValue, in root: SourceValue
    ) throws(ConversionError) -> SourceValue {
        var value = root
        for token in SourceValue.tokens(of: pointer) {
            guard let next = value.child(token) else {
                throw reference.error("'\(pointer)' leads to nothing: there is no '\(token)'")
            }
            value = next
        }
        return value
    }
}
