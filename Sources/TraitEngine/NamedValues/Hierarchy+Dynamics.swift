// Colours and images as definitions of a hierarchy, and what they are at a node.

extension Hierarchy {
    /// Defines a colour or image. The same again does nothing; another replaces it. O(variants and
    /// definitions).
    ///
    /// - Throws: `malformedIdentifier`, `invalidDefinition` when a variant names a trait that is
    ///   not defined here, `typeMismatch`, `privateTrait`, `limit`, and `dynamicInUse` for another
    ///   definition while a registration names the present one.
    public func defineDynamic(_ value: DynamicValue) throws(OperationError) {
        precondition(isInTransaction, "outside of a transaction")
        try checkDynamic(value)
        // Kept without definitions: each would hold those before it.
        let stored = value.adopting(.system)
        let known = definitions.named[value.kind][value.name]
        if let known {
            if known.isSame(as: stored) { return }
            try checkUnused(value.kind, value.name)
        } else {
            let count = definitions.named.colors.count + definitions.named.images.count
            if count >= limits.dynamicsMax {
                throw .limit(name: "dynamicsMax", value: limits.dynamicsMax)
            }
        }
        logNamed(isNew: known == nil, "\(value.kind.rawValue) \(value.name)")
        parts.definitions.changeNamed { $0.set(stored) }
    }

    /// Deletes a colour or image. O(definitions).
    ///
    /// - Throws: `unknownDynamic`, `dynamicInUse` while a registration names it.
    public func deleteDynamic(_ kind: DynamicKind, _ name: String) throws(OperationError) {
        precondition(isInTransaction, "outside of a transaction")
        if definitions.named[kind][name] == nil { throw .unknownDynamic(kind, name) }
        try checkUnused(kind, name)
        logNamed(gone: "\(kind.rawValue) \(name)")
        parts.definitions.changeNamed { $0.remove(kind, name) }
    }

    /// Chooses the variant of a colour or image by what the node shows. An image takes the scale and
    /// the idiom from the node's window scene, or without one from the root of its tree, where the
    /// node's are unspecified. O(variants, and levels for each trait that can make a difference).
    ///
    /// - Throws: `unknownDynamic`.
    public func resolveDynamic(
        _ kind: DynamicKind, _ name: String, at node: NodeIndex
    ) throws(OperationError) -> DynamicChoice {
        guard let value = definitions.named[kind][name] else {
            throw .unknownDynamic(kind, name)
        }
        return DynamicChoice(index: choice(of: value, at: node), dependsOn: value.dependsOn)
    }

    private func checkUnused(_ kind: DynamicKind, _ name: String) throws(OperationError) {
        if parts.dynamics.isUsed(DynamicName(kind: kind, name: name)) {
            throw .dynamicInUse(kind, name)
        }
    }

    private func checkDynamic(_ value: DynamicValue) throws(OperationError) {
        if !IdentifierRules.isWellFormed(value.name, bytesMax: limits.identifierBytesMax) {
            throw .malformedIdentifier(value.name)
        }
        if value.variants.count > limits.variantsMax {
            throw .limit(name: "variantsMax", value: limits.variantsMax)
        }
        for variant in value.variants {
            if variant.value.utf8.count > limits.stringValueBytesMax {
                throw .limit(name: "stringValueBytesMax", value: limits.stringValueBytesMax)
            }
            for trait in variant.when.traits {
                if definitions.definition(at: trait) == nil {
                    throw .invalidDefinition(
                        key: value.name, reason: "a variant names a trait that is not defined")
                }
                try definitions.validate(variant.when[trait], for: trait)
            }
        }
    }

    /// A name is about to be defined, or defined otherwise.
    func logNamed(isNew: Bool, _ name: String) {
        transaction.log.append(.renamed(definitions: logDefinitions()), holdsResources: true)
        if isNew {
            transaction.lists.named.insert(name)
        } else if !transaction.lists.named.contains(name) {
            transaction.summary.endsExisting = true
        }
    }

    /// A name is about to be deleted.
    func logNamed(gone name: String) {
        transaction.log.append(.renamed(definitions: logDefinitions()), holdsResources: true)
        if transaction.lists.named.remove(name) == nil { transaction.summary.endsExisting = true }
    }
}
