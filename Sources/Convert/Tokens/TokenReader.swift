// Design tokens as colours with variants: a token that depends on modifiers has a variant for each combination of
// their contexts.

import JSONCodec

package enum TokenReader {
    /// Adds the tokens of a resolver document with its files, or of token files alone.
    ///
    /// - Parameter load: reads a file by a path relative to the folder of the file that refers to it.
    /// - Throws: the first error.
    package static func read(
        _ files: [SourceFile], into conversion: inout Conversion,
        load: @escaping (_ path: String, _ base: String) throws(ConversionError) -> SourceFile
    ) throws(ConversionError) {
        let sources = try TokenSources(files, load: load)
        let tree = try TokenTree(sources.sources)
        var traits: [String] = []
        for modifier in sources.modifiers {
            let key = try conversion.name(.trait, modifier.name, at: modifier.value)
            traits.append(key)
            conversion.document.traits.append(
                .init(
                    key: key, label: key == modifier.name ? nil : modifier.name,
                    cases: modifier.contexts,
                    defaultCase: modifier.contexts[modifier.defaultContext]))
        }
        for token in tree.tokens {
            guard let declaration = token.declarations.last else { continue }
            // A root token has the name of its group.
            var path = token.path
            if path.last == "$root", path.count > 1 { path.removeLast() }
            let name = try conversion.name(
                .color, path.joined(separator: "."), at: declaration.value)
            let values = try TokenVariants(of: token, in: tree, sources.modifiers, name)
            if let missing = values.missing {
                conversion.skip(
                    declaration.value,
                    "'\(name)' has no value where \(missing); its first variant stands in")
            }
            let variants = values.variants.map { found in
                ConvertedDocument.Variant(
                    when: found.when.map { condition in
                        let modifier = sources.modifiers[condition.modifier]
                        return (
                            traits[condition.modifier], .name(modifier.contexts[condition.context])
                        )
                    }, value: found.value, source: .init(found.source))
            }
            conversion.document.colors.append(.init(name: name, variants: variants))
        }
        try conversion.finish()
    }
}

/// The values of one token in the contexts on which it depends.
private struct TokenVariants {
    struct Variant {
        let when: [TokenCondition]
        let value: [UInt8]
        let source: SourceValue
    }

    private(set) var variants: [Variant] = []
    /// Contexts in which no declaration holds, as text.
    private(set) var missing: String?

    init(
        of token: TokenTree.Node, in tree: TokenTree, _ modifiers: [TokenModifier], _ name: String
    ) throws(ConversionError) {
        var resolution = TokenResolution(tree, modifiers)
        var found: [[Int]: (value: [UInt8], source: SourceValue)] = [:]
        var read: [Int] = []
        // A value may show only in some contexts on which modifiers it depends.
        while true {
            found = [:]
            var combinations = 1
            for modifier in read {
                combinations *= modifiers[modifier].contexts.count
                guard combinations <= ConvertedDocument.variantsMax else {
                    let names = read.map { modifiers[$0].name }.joined(separator: ", ")
                    throw token.declarations[0].value.error(
                        "'\(name)' depends on \(names): more than \(ConvertedDocument.variantsMax) combinations, the most of a colour"
                    )
                }
            }
            for number in 0..<combinations {
                let contexts = Self.contexts(number, of: read, modifiers)
                resolution.begin(Dictionary(uniqueKeysWithValues: zip(read, contexts)))
                found[contexts] = try resolution.value(of: token)
            }
            let all = resolution.read.sorted()
            if all == read { break }
            read = all
        }
        let needed = read.indices.filter {
            Self.matters($0, of: modifiers[read[$0]].contexts.count, in: found)
        }
        for number in 0..<read.reduce(1, { $0 * modifiers[$1].contexts.count }) {
            let contexts = Self.contexts(number, of: read, modifiers)
            // One combination stands for all that differ in what does not matter.
            let isFirst = read.indices.allSatisfy { place in
                needed.contains(place) || contexts[place] == modifiers[read[place]].defaultContext
            }
            if !isFirst { continue }
            let when = needed.map { TokenCondition(modifier: read[$0], context: contexts[$0]) }
            guard let (value, source) = found[contexts] else {
                missing =
                    missing
                    ?? when.map {
                        "\(modifiers[$0.modifier].name) is \(modifiers[$0.modifier].contexts[$0.context])"
                    }.joined(separator: " and ")
                continue
            }
            variants.append(Variant(when: when, value: value, source: source))
        }
    }

    /// The combination of that number, the defaults first, so that the first variant is theirs.
    private static func contexts(
        _ number: Int, of read: [Int], _ modifiers: [TokenModifier]
    ) -> [Int] {
        var rest = number
        return read.map { modifier in
            let (count, first) = (
                modifiers[modifier].contexts.count, modifiers[modifier].defaultContext
            )
            defer { rest /= count }
            let position = rest % count
            return position == 0 ? first : position <= first ? position - 1 : position
        }
    }

    /// Whether two combinations that differ in one modifier alone have two values.
    private static func matters(
        _ place: Int, of contexts: Int, in found: [[Int]: (value: [UInt8], source: SourceValue)]
    ) -> Bool {
        var seen: [[Int]: [UInt8]] = [:]
        var counts: [[Int]: Int] = [:]
        for (combination, value) in found {
            var others = combination
            others.remove(at: place)
            counts[others, default: 0] += 1
            if seen.updateValue(value.value, forKey: others).map({ $0 != value.value }) == true {
                return true
            }
        }
        // Without a value in one context.
        return counts.values.contains { $0 != contexts }
    }
}
