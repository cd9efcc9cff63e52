// Files of Figma: nodes that set modes, with their ancestors, and the variables to which the modes belong.

import JSONCodec

package enum FigmaReader {
    /// The most objects and arrays of a file inside one another: two for each level of layers.
    package static let depthMax = 4_000

    /// Adds what the files have: `document` (a file), and `meta` or `variables` (its variables), in one file or in two.
    ///
    /// - Throws: the first error. A mode of a collection that the files lack is skipped.
    package static func read(
        _ files: [SourceFile], into conversion: inout Conversion
    ) throws(ConversionError) {
        var variables: FigmaVariables?
        var documents: [SourceValue] = []
        for file in files {
            let root = try SourceValue(file).object()
            let document = root.member("document")
            if let document { documents.append(document) }
            let meta = root.member("meta") ?? root
            if meta.member("variableCollections") != nil {
                if variables != nil {
                    throw meta.error(
                        "variables come from one file at a time; convert the others apart")
                }
                variables = try FigmaVariables(meta)
            } else if document == nil {
                throw root.error(
                    "'document' or 'variableCollections' is missing: this is no file of Figma, and not its variables"
                )
            }
        }
        guard var variables else {
            throw ConversionError(
                """
                \(files.map(\.path).joined(separator: ", ")): there are no variables. Add the answer of …/variables/local, \
                or what a plugin exports (docs/design-files.md has one).
                """)
        }
        try variables.addTraits(to: &conversion)
        for document in documents { try addNodes(of: document, variables, to: &conversion) }
        try variables.addColors(to: &conversion)
        try conversion.finish()
    }

    /// A node on the way down. Layers may lie hundreds deep, so there is no recursion.
    private struct Level {
        let node: SourceValue
        var children: ArraySlice<SourceValue>
        let overrides: [(trait: String, value: String)]
        /// Once the node is in the document.
        var id: String?
    }

    private static func addNodes(
        of document: SourceValue, _ variables: FigmaVariables, to conversion: inout Conversion
    ) throws(ConversionError) {
        var levels = [try level(of: document, variables, &conversion)]
        // The root is there also when no node sets a mode.
        try add(&levels, to: &conversion)
        while var last = levels.popLast() {
            guard let child = last.children.popFirst() else { continue }
            levels.append(last)
            let next = try level(of: child, variables, &conversion)
            if next.overrides.isEmpty, next.children.isEmpty { continue }
            levels.append(next)
            if !next.overrides.isEmpty { try add(&levels, to: &conversion) }
        }
    }

    private static func level(
        of node: SourceValue, _ variables: FigmaVariables, _ conversion: inout Conversion
    ) throws(ConversionError) -> Level {
        var overrides: [(trait: String, value: String)] = []
        for (id, value) in node.member("explicitVariableModes")?.members.map({ $0 }) ?? [] {
            let modeId = try value.string()
            guard let place = variables.places[id] else {
                conversion.skip(value, "the collection '\(id)' is not among the variables")
                continue
            }
            guard let mode = variables.mode(modeId, in: place) else {
                throw value.error("'\(modeId)' is no mode of the collection '\(id)'")
            }
            let collection = variables.collections[place]
            overrides.append((collection.trait, collection.modes[mode].name))
        }
        let children = try node.object().member("children")?.elements() ?? []
        return Level(node: node, children: children[...], overrides: overrides)
    }

    /// Adds the last node, and those above it that are not in the document yet.
    private static func add(
        _ levels: inout [Level], to conversion: inout Conversion
    ) throws(ConversionError) {
        var parent: String?
        for place in levels.indices {
            if levels[place].id == nil {
                let node = levels[place].node
                // Identifiers have colons and semicolons.
                let id = try conversion.name(.node, try node.required("id").string(), at: node)
                levels[place].id = id
                conversion.document.nodes.append(
                    .init(
                        id: id, parent: parent, label: try label(of: node, &conversion) ?? id,
                        overrides: levels[place].overrides))
            }
            parent = levels[place].id
        }
    }
    /// The name of a layer. That of a text is the text itself, so it may be of any length.
    private static func label(
        of node: SourceValue, _ conversion: inout Conversion
    ) throws(ConversionError) -> String? {
        guard let name = node.member("name"), !name.json.isNull else { return nil }
        let bytesMax = ConvertedDocument.labelBytesMax
        let label = try name.string(bytesMax: bytesMax)
        if label.utf8.count < name.json.string?.count ?? 0 {
            conversion.skip(name, "a label has at most \(bytesMax) bytes; the rest is left out")
        }
        return label
    }
}
