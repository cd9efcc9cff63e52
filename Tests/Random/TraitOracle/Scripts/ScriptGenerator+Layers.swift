// Random legacy inputs, limits and predictions.

import TraitEngine

extension ScriptGenerator {
    mutating func layers(_ state: OracleState) -> [Operation] {
        guard let node = pickNode(state) else { return [] }
        switch random.below(5) {
        case 0: return [.legacyStyle(node, random.pick([nil, .int(0), .int(1), .int(2)]) ?? nil)]
        case 1: return [.legacyCollection(node, values(state))]
        case 2: return [.limits(node, rank(), rank())]
        case 3: return category(state, node)
        default: return predicted(state)
        }
    }

    /// A new view for which something is predicted; where the plan wants it, it goes into a tree and
    /// out again before the commit.
    private mutating func predicted(_ state: OracleState) -> [Operation] {
        let id = name("p")
        let made: [Operation] = [
            .create(id, .view, parent: nil, controller: nil, label: nil),
            .predict(id, values(state)),
        ]
        guard plan.attachesPredicted else { return made }
        let kinds = NodeKind.view.allowedParents
        let parents = state.nodes.filter { kinds.contains($0.value.kind) }.keys.sorted()
        guard random.chance(60), let parent = random.pick(parents) else { return made }
        return made + [.update(id, parent: .set(parent)), .update(id, parent: .clear)]
    }

    private mutating func rank() -> Int? { random.chance(30) ? nil : 2 + random.below(4) }

    private mutating func category(_ state: OracleState, _ node: String) -> [Operation] {
        let categories = SystemTraits.contentSizeCategories.map(\.raw)
        let value = random.chance(15) ? "a size of its own" : categories[random.below(9)]
        return [.set(pickLayer(), node, "preferredContentSizeCategory", .string(value))]
    }

    private mutating func values(_ state: OracleState) -> [String: TraitValue] {
        var values: [String: TraitValue] = [:]
        for _ in 0..<random.below(4) {
            guard let trait = pickTrait(state), let value = pickValue(trait, state) else {
                continue
            }
            values[trait] = value
        }
        return values
    }
}
