// Where values come from, compared with the rules: every step of an explanation.

import TraitEngine

extension EngineDriver {
    /// Explanations are long: of some nodes and traits, others in every step.
    func compareChains(
        of nodes: [String], _ traits: [(key: String, index: TraitIndex)], _ shown: Shown
    ) throws {
        let state = shown.state
        for id in nodes {
            guard let index = hierarchy.node(id) else { continue }
            let above = state.ancestors(of: id, shown.parents)
            for (key, trait) in traits {
                let expected = state.chain(of: key, at: id, above)
                let chain = hierarchy.chain(of: trait, at: index).map(describe)
                try expect("chain of \(key) at \(id)", chain, expected)
                try expect(
                    "pending chain of \(key) at \(id)",
                    hierarchy.pendingChain(of: trait, at: index).map(describe),
                    state.chain(of: key, at: id, above, byInputs: true))
                let full = hierarchy.chain(of: trait, at: index, includeAbsent: true)
                let present = full.filter { $0.status != .absent }.map(describe)
                try expect("full chain of \(key) at \(id)", present, expected)
                let absent = full.filter { $0.status == .absent }.compactMap(\.node)
                let silent = ([id] + above).filter {
                    !state.sets(key, at: $0, shownBy: id, above)
                }
                try expect(
                    "absent in the chain of \(key) at \(id)",
                    absent.map(name), silent)
            }
        }
    }

    /// A number of elements that depends on nothing but the revision.
    func some<Element>(_ count: Int, of elements: [Element]) -> [Element] {
        if elements.count <= count { return elements }
        let start = Int(hierarchy.revision) &* 7
        return (0..<count).map { elements[(start + $0 * 5) % elements.count] }
    }

    private func describe(_ entry: ChainEntry) -> String {
        OracleState.chainLine(
            entry.layer,
            entry.node.map(name)
                ?? entry.deletedNode.map { hierarchy.identifier(of: $0) + ", deleted" },
            entry.value ?? .null,
            entry.revision, isWinner: entry.status == .winner)
    }
}

extension OracleState {
    /// From the node up, the winning layer first; the default last.
    ///
    /// - Parameter byInputs: by what is set now, though a pending node does not show it yet.
    func chain(
        of trait: String, at id: String, _ above: [String], byInputs: Bool = false
    ) -> [String] {
        var lines: [String] = []
        let levels =
            byInputs ? inputLevels(of: id, above) : answeredLevels(of: trait, at: id, above)
        for level in levels {
            for (layer, values) in level.layers {
                guard let stored = values[trait] else { continue }
                let name = isThere(level) ? level.node : level.node + ", deleted"
                lines.append(
                    Self.chainLine(
                        layer, name, stored.value, stored.revision, isWinner: lines.isEmpty))
            }
        }
        let value = traits[trait]?.definition.defaultValue ?? .null
        return lines + [Self.chainLine(.default, nil, value, nil, isWinner: lines.isEmpty)]
    }

    static func chainLine(
        _ layer: Layer, _ node: String?, _ value: TraitValue, _ revision: Int64?, isWinner: Bool
    ) -> String {
        "\(layer.name) \(node ?? "-") \(value) \(revision ?? 0) \(isWinner ? "wins" : "shadowed")"
    }
}
