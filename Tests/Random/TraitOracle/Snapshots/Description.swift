// Everything a hierarchy shows, as lines: what a snapshot must still show when all has changed.

import TraitEngine

extension Hierarchy {
    /// One line for each node in tree order, with its names, inputs and resolved values, and one
    /// for each registration.
    func describe(_ traits: [TraitIndex]) -> [String] {
        var lines = ["revision \(revision), \(nodeCount) nodes, \(registrationCount) registrations"]
        lines.append(definitions.settable.map { definitions[$0].key }.joined(separator: " "))
        let wanted = TraitSet(traits)
        forEachNode { node, level in
            var line =
                "\(level) \(identifier(of: node)) \(kind(of: node)) \(label(of: node) ?? "-")"
            line += " < \(parent(of: node).map(identifier) ?? "-") \(state(of: node))"
            for (trait, value) in overrides(of: node) + supplied(of: node) + kept(of: node) {
                line += " \(trait)=\(value)"
            }
            values(of: wanted, at: node) { line += " \($0):\($1)" }
            if node.rawValue % 16 == 0 {
                for trait in traits {
                    for entry in chain(of: trait, at: node, includeAbsent: true) {
                        line += " \(entry.node?.rawValue ?? 0) \(entry.value ?? .null)"
                        line += " \(entry.status) \(entry.revision ?? 0)"
                    }
                }
            }
            for registration in registrations(of: node) {
                line += " !\(registrationInfo(registration).identifier ?? "-")"
            }
            lines.append(line)
            return .descend
        }
        for registration in registrations() {
            let info = registrationInfo(registration)
            lines.append("\(info.identifier ?? "-") \(identifier(of: info.node)) \(info.traits)")
        }
        return lines
    }
}

/// Where two descriptions differ first; nil when they are equal. Whole ones are too long to print.
func firstDifference(_ left: [String], _ right: [String]) -> String? {
    for (line, other) in zip(left, right) where line != other { return "\(line)\n\(other)" }
    return left.count == right.count ? nil : "\(left.count) lines and \(right.count)"
}
