// The rules that a custom definition must meet: everything that could make a hierarchy
// inconsistent later is refused here, with a reason for people.

extension TraitDefinition {
    /// Checks everything that does not depend on other definitions. O(cases or fields).
    func checkWellFormed(_ limits: HierarchyLimits) throws(OperationError) {
        if isSystem { throw .systemTrait(key) }
        let bytesMax = limits.identifierBytesMax
        for text in [key, identifier].compactMap(\.self)
        where !IdentifierRules.isWellFormed(text, bytesMax: bytesMax) {
            throw .malformedIdentifier(text)
        }
        if name.utf8.count > limits.labelBytesMax {
            throw .limit(name: "labelBytesMax", value: limits.labelBytesMax)
        }
        try checkType(limits)
        try checkNotes()
        guard accepts(defaultValue) else {
            throw .invalidDefinition(key: key, reason: "its default must be \(expectation)")
        }
        try limits.checkStrings(in: defaultValue)
    }

    private func checkType(_ limits: HierarchyLimits) throws(OperationError) {
        switch type {
        case .bool, .int, .double, .string, .json, .opaque: break
        case .enumeration(let cases):
            try checkNames(cases.map(\.name), of: "case", max: limits.enumCasesMax, limits)
            try checkDistinct(cases.map(\.raw))
        case .stringEnumeration(let cases):
            try checkNames(cases.map(\.name), of: "case", max: limits.enumCasesMax, limits)
            try checkDistinct(cases.map { Array($0.raw.utf8) })
            for raw in cases { try limits.checkStrings(in: .string(raw.raw)) }
        case .structure(let fields):
            try checkNames(fields.map(\.name), of: "field", max: limits.structFieldsMax, limits)
        }
    }

    private func checkNotes() throws(OperationError) {
        func refuse(_ reason: String) -> OperationError {
            .invalidDefinition(key: key, reason: reason)
        }
        if let unit = notes.unit {
            guard type == .int || type == .double else {
                throw refuse("only an int or a double has a unit")
            }
            guard DefinitionNotes.units.contains(where: { TraitValue.isSameUTF8($0, unit) }) else {
                throw refuse("its unit has to be one of CSS, as px")
            }
        }
        if notes.isCSS, type != .string { throw refuse("only a string is text of CSS") }
        guard notes.since.count <= DefinitionNotes.platformsMax,
            notes.since.allSatisfy({ entry in
                [entry.platform, entry.version].allSatisfy {
                    (1...DefinitionNotes.versionBytesMax).contains($0.utf8.count)
                }
            })
        else {
            throw refuse(
                "since has up to \(DefinitionNotes.platformsMax) platforms, and names and versions "
                    + "have 1 to \(DefinitionNotes.versionBytesMax) bytes")
        }
    }

    private func checkNames(
        _ names: [String], of what: String, max: Int, _ limits: HierarchyLimits
    ) throws(OperationError) {
        if names.isEmpty {
            throw .invalidDefinition(key: key, reason: "it needs at least one \(what)")
        }
        if names.count > max {
            throw .limit(name: what == "case" ? "enumCasesMax" : "structFieldsMax", value: max)
        }
        var seen = Set<[UInt8]>()
        for name in names {
            if name.isEmpty {
                throw .invalidDefinition(key: key, reason: "a \(what) needs a name")
            }
            if name.utf8.count > limits.identifierBytesMax {
                throw .limit(name: "identifierBytesMax", value: limits.identifierBytesMax)
            }
            if !seen.insert(Array(name.utf8)).inserted {
                throw .invalidDefinition(
                    key: key, reason: "the \(what) \"\(name)\" is declared twice")
            }
        }
    }

    /// Values travel as case names, so no two cases may share a raw value.
    private func checkDistinct(_ raws: [some Hashable]) throws(OperationError) {
        if Set(raws).count != raws.count {
            throw .invalidDefinition(key: key, reason: "two cases have the same raw value")
        }
    }
}

extension HierarchyLimits {
    /// Refuses a value that holds a string or JSON text longer than `stringValueBytesMax`.
    func checkStrings(in value: TraitValue) throws(OperationError) {
        switch value {
        case .string(let string) where string.utf8.count > stringValueBytesMax:
            throw .limit(name: "stringValueBytesMax", value: stringValueBytesMax)
        case .json(let text) where text.utf8.count > stringValueBytesMax:
            throw .limit(name: "stringValueBytesMax", value: stringValueBytesMax)
        case .structure(let values):
            for value in values { try checkStrings(in: value) }
        default: break
        }
    }
}
