// The query of a style sheet.

import HTTPServer
import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

extension Request {
    /// The parameters that only a style sheet takes.
    static let styleParameters = QueryParameterSet([
        .subtree, .selector, .attribute, .prefix, .layer, .colors, .colorScheme,
    ])
    private static let explainingParameters = QueryParameterSet([.explain, .absent, .pending])

    /// With one of these a sheet has unset values, too.
    private static let namingParameters = QueryParameterSet([.traits, .specified])

    /// Whether the client prefers a style sheet to JSON.
    ///
    /// - Throws: `notAcceptable`; `malformedParameter` for a parameter of style sheets beside an answer of JSON.
    @inline(__always)
    func wantsStyleSheet() throws(Problem) -> Bool {
        // The value that curl and most libraries send.
        if let accept = exchange.header(.accept), !accept.elementsEqual("*/*".utf8),
            try chosenMediaType(["application/json", "text/css"]) == 1
        {
            return true
        }
        try checkHasNoStyle()
        return false
    }

    private func checkHasNoStyle() throws(Problem) {
        guard context.query.given.intersects(Self.styleParameters) else { return }
        for parameter in Self.styleParameters {
            // Clients that are generated send each default.
            guard let value = context.query[parameter], !value.elementsEqual("false".utf8) else {
                continue
            }
            throw Query.malformed(
                parameter, "It is for a style sheet, which comes with Accept: text/css.")
        }
    }

    /// The options of the style sheet.
    func styleOptions() throws(Problem) -> StyleOptions {
        let query = context.query
        for parameter in Self.explainingParameters where query.flag(parameter) {
            throw Query.malformed(
                parameter, "A style sheet has values alone. Ask for JSON, or leave it out.")
        }
        var options = StyleOptions()
        options.specified = query.flag(.specified)
        options.hasUnset = !options.specified && query.given.intersects(Self.namingParameters)
        options.hasColorScheme = query.flag(.colorScheme)
        if let subtree = query[.subtree] {
            guard subtree.elementsEqual("true".utf8) || subtree.elementsEqual("false".utf8) else {
                throw Query.malformed(.subtree, "For a style sheet it takes true or false.")
            }
            options.hasSubtree = subtree.elementsEqual("true".utf8)
        }
        if let selector = try query.string(.selector) {
            guard StyleSelector.isAllowed(selector) else {
                throw Query.malformed(
                    .selector,
                    "It takes a selector of 1 to \(StyleSelector.bytesMax) bytes without { } @ ; < \\ and /*, whose quotes and brackets are closed."
                )
            }
            options.selector = selector
        }
        if let attribute = try query.string(.attribute) {
            guard Self.isAttribute(attribute) else {
                throw Query.malformed(
                    .attribute, "It takes data- and 1 to 32 small letters, digits and hyphens.")
            }
            options.attribute = attribute
        }
        if let prefix = try query.string(.prefix) {
            guard prefix.utf8.count <= 32, prefix.utf8.allSatisfy(StyleText.isNameByte) else {
                throw Query.malformed(.prefix, "It takes up to 32 of A-Z, a-z, 0-9, _ and -.")
            }
            options.prefix = prefix
        }
        if let layer = try query.string(.layer) {
            let names = layer.split(separator: ".", omittingEmptySubsequences: false)
            guard names.count <= 2, names.allSatisfy({ StyleText.isIdentifier(String($0)) }) else {
                throw Query.malformed(.layer, "It takes a name or two, as in theme or theme.dark.")
            }
            options.layer = layer
        }
        if let colors = try query.string(.colors) {
            options.colors = colors == "all" ? .all : .named(colors.parts(at: UInt8(ascii: ",")))
        }
        return options
    }

    /// `data-[a-z0-9-]{1,32}`.
    private static func isAttribute(_ text: String) -> Bool {
        guard text.hasPrefix("data-"), (6...37).contains(text.utf8.count) else { return false }
        return text.utf8.allSatisfy { byte in
            (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2d
        }
    }
}

/// Selectors of clients.
enum StyleSelector {
    static let bytesMax = 256

    /// Whether a text can stand before a block: nothing in it ends the selector, begins a comment or a block, or
    /// leaves a string or a bracket open.
    static func isAllowed(_ text: String) -> Bool {
        (1...bytesMax).contains(text.utf8.count) && StyleValue.isBalanced(text)
            && !text.utf8.contains { "{}@;<\\".utf8.contains($0) } && !text.contains("/*")
            && !text.allSatisfy { $0 == " " }
    }
}
