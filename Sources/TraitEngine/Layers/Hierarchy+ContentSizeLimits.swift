// Limits of the content size category. What they make of an inherited category is stored as a
// value of the node at the end of each transaction, so reads need not consider limits.

extension Hierarchy {
    /// `preferredContentSizeCategory`, a system trait.
    var contentSizeTrait: UInt16 { Self.contentSize.rawValue }
    static let contentSize =
        TraitDefinitions.system.index(of: "preferredContentSizeCategory") ?? TraitIndex(rawValue: 7)

    /// Limits the content size category of a node, and so of everything below it: what it
    /// inherits and what is supplied for it. Legacy inputs and overrides go over the limits. With
    /// a minimum above the maximum only the maximum counts. UIKit has such limits on views. O(1);
    /// as long as there are limits, each commit costs O(depth) for each node that has some.
    ///
    /// - Parameters: categories as raw values; nil for no limit.
    /// - Throws: `typeMismatch` for a string that is no category.
    public func setContentSizeLimits(
        _ node: NodeIndex, minimum: String?, maximum: String?
    ) throws(OperationError) {
        precondition(isInTransaction, "outside of a transaction")
        let index = node.rawValue
        let old = parts.contentLimits[index] ?? ContentSizeLimits()
        var new = ContentSizeLimits(
            minimum: try rank(minimum), maximum: try rank(maximum), revision: revision + 1)
        if new.minimum == old.minimum, new.maximum == old.maximum { return }
        if let before = transaction.lists.limits[index] {
            let isBack = before.minimum == new.minimum && before.maximum == new.maximum
            if isBack { new.revision = before.revision }
        } else if !parts.nodes[index].flags.contains(.created) {
            transaction.lists.limits[index] = old
        }
        noteInputs(index)
        transaction.log.append(.limited(node: index, old))
        if let fact = contentSizeFact(index) { parts.digest.remove(fact) }
        put(new, index)
        if let fact = contentSizeFact(index) { parts.digest.add(fact) }
        noteWrite(index)
    }

    func rank(_ category: String?) throws(OperationError) -> Int32 {
        guard let category else { return -1 }
        guard let rank = ContentSizeLimits.rank(of: category) else {
            throw .typeMismatch(
                trait: "preferredContentSizeCategory",
                expected: definitions[Self.contentSize].expectation)
        }
        return rank
    }

    func put(_ limits: ContentSizeLimits, _ node: Int32) {
        parts.contentLimits[node] = limits.isEmpty ? nil : limits
    }

    /// Whether the transaction changed the limits of a node that was there before.
    var hasOtherLimits: Bool {
        transaction.lists.limits.contains { node, before in
            let now = parts.contentLimits[node] ?? ContentSizeLimits()
            return now.minimum != before.minimum || now.maximum != before.maximum
        }
    }

    /// The node's own limits, as raw values. O(1).
    public func contentSizeLimits(of node: NodeIndex) -> (minimum: String?, maximum: String?) {
        guard let limits = parts.contentLimits[node.rawValue] else { return (nil, nil) }
        return (
            ContentSizeLimits.category(limits.minimum), ContentSizeLimits.category(limits.maximum)
        )
    }

    // MARK: - What limits make of a category

    /// The word that the limits make of another one, with a reference; nil when it is within.
    private func limited(_ word: UInt64, by limits: ContentSizeLimits) -> UInt64? {
        guard case .string(let category) = parts.pool[word],
            let rank = ContentSizeLimits.rank(of: category)
        else { return nil }
        let clamped = limits.clamp(rank)
        guard clamped != rank, let category = ContentSizeLimits.category(clamped) else {
            return nil
        }
        return parts.pool.retain(TraitValue.string(category))
    }

    /// In an immediate hierarchy: brings what limits make of their categories up to date, from
    /// the top down. O(nodes with limits × depth).
    func recomputeLimits() {
        let nodes = Set(parts.contentLimits.keys).union(transaction.lists.limits.keys)
            .filter(isInUse)
        let ordered = nodes.map { (level(of: $0), $0) }.sorted { $0 < $1 }
        for (_, node) in ordered {
            let old = storedValue(node, contentSizeTrait, .limited)
            var new: StoredValue?
            if let limits = parts.contentLimits[node],
                let word = limited(categoryBelowLimits(node), by: limits)
            {
                new = StoredValue(word: word, revision: limits.revision)
            }
            if let new, old == new {
                parts.pool.release(new.word)
            } else if old != nil || new != nil {
                change(node, contentSizeTrait, .limited, from: old, to: new)
            }
        }
    }

    private func categoryBelowLimits(_ node: Int32) -> UInt64 {
        for layer in [Layer.supplied, .kept] {
            if let stored = storedValue(node, contentSizeTrait, layer) { return stored.word }
        }
        let parent = parts.nodes.parent(of: node)
        return parent > 0
            ? resolvedWord(contentSizeTrait, parent)
            : parts.traits[contentSizeTrait].defaultWord
    }

    /// In a layout hierarchy: adds what the node's limits make of its category to
    /// `transaction.entries`, with a reference that `releaseLimited()` gives back.
    func loadLimited(_ node: Int32, _ inherited: UInt64) {
        guard let limits = parts.contentLimits[node] else { return }
        var word = inherited
        var position = 0
        while position < transaction.entries.count {
            let entry = transaction.entries[position]
            if entry.trait > contentSizeTrait { break }
            if entry.trait == contentSizeTrait, entry.layer < .limited {
                word = entry.word
                break
            }
            position += 1
        }
        guard let clamped = limited(word, by: limits) else { return }
        transaction.entries.insert(
            RecordEntry(
                trait: contentSizeTrait, layer: .limited, word: clamped, revision: limits.revision),
            at: position)
    }

    func releaseLimited() {
        if parts.contentLimits.isEmpty { return }
        for entry in transaction.entries where entry.layer == .limited {
            parts.pool.release(entry.word)
        }
    }

    // MARK: - Explaining

    /// Where a node's content size category was limited: a line for it and each node above, with
    /// its category and its limits. O(depth) reads.
    public func appliedContentSizeLimitsDescription(at node: NodeIndex) -> String {
        var lines: [String] = []
        var next: NodeIndex? = node
        while let index = next {
            var line = identifier(of: index) + ": "
            let category = value(of: Self.contentSize, at: index)
            if case .string(let category) = category { line += Self.shortForm(category) }
            let limits = contentSizeLimits(of: index)
            if let minimum = limits.minimum { line += ", minimum " + Self.shortForm(minimum) }
            if let maximum = limits.maximum { line += ", maximum " + Self.shortForm(maximum) }
            lines.append(line)
            next = traitParent(of: index)
        }
        return lines.joined(separator: "\n")
    }

    private static func shortForm(_ category: String) -> String {
        let prefix = "UICTContentSizeCategory"
        if category.hasPrefix(prefix) { return String(category.dropFirst(prefix.count)) }
        return ContentSizeLimits.rank(of: category) == nil ? "unspecified" : category
    }
}
