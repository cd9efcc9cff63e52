// The tree that `traitd render` prints.

import SessionViews
import TraitEngine
import TraitSessions

/// A hierarchy as text: a line for each node, and indented below it a line for each trait.
struct RenderedTree {
    /// The most characters of indentation. Deeper nodes stay at that column, as a chain of ten thousand
    /// nodes would otherwise take hundreds of megabytes.
    private static let indentationMax = 120

    private let view: HierarchyView
    private let before: [String: HierarchyView.Values]
    private let after: [HierarchyView.Values]

    init(
        _ view: HierarchyView, before: [HierarchyView.Values], after: [HierarchyView.Values]
    ) {
        self.view = view
        self.before = Dictionary(before.map { ($0.name, $0) }) { first, _ in first }
        self.after = after
    }

    func write(to output: OutputFile) {
        let present = Set(after.map(\.node))
        let parents = view.session.withState { state in
            after.map { state.hierarchy.traitParent(of: $0.node) }
        }
        // Whether a node is the last child of its parent. The nodes are visited from the end.
        var seen = Set<NodeIndex?>()
        var isLast: [Bool] = []
        for parent in parents.reversed() { isLast.append(seen.insert(parent).inserted) }
        isLast.reverse()
        var prefixes: [NodeIndex: String] = [:]
        for (position, values) in after.enumerated() {
            var (branch, below) = ("", "")
            if let parent = parents[position], present.contains(parent) {
                let prefix = prefixes[parent] ?? ""
                branch = prefix + (isLast[position] ? "└─ " : "├─ ")
                below = prefix + (isLast[position] ? "   " : "│  ")
            }
            prefixes[values.node] = String(below.suffix(Self.indentationMax))
            put(branch + headline(values), to: output)
            let hasChildren = position + 1 < after.count && parents[position + 1] == values.node
            for line in lines(values) {
                put(below + (hasChildren ? "│    " : "     ") + line, to: output)
            }
        }
    }

    /// `inbox  viewController  "Inbox"`.
    private func headline(_ values: HierarchyView.Values) -> String {
        let node = values.node
        let (kind, label, state) = view.session.withState { state in
            let hierarchy = state.hierarchy
            return (
                hierarchy.kind(of: node), hierarchy.label(of: node), hierarchy.state(of: node)
            )
        }
        var line = "\(values.name)  \(kind.name)"
        if let label { line += "  \"\(label)\"" }
        switch state {
        case .current: break
        case .pending: line += "  (pending)"
        case .detached: line += "  (detached)"
        }
        return before[values.name] == nil ? line + "  (new)" : line
    }

    private func lines(_ values: HierarchyView.Values) -> [String] {
        let old = before[values.name]
        let definitions = view.definitions
        return view.read.compactMap { trait in
            guard let now = values.resolutions[trait] else { return nil }
            // A change may delete a trait and give its index to another one.
            let isSame =
                view.definitionsAtStart.definition(at: trait) == definitions.definition(at: trait)
            let was = isSame ? old?.resolutions[trait] : nil
            let hasChanged = was.map { $0.value != now.value } ?? false
            let isSetHere = now.source.node == values.node && now.source.kind != .default
            guard view.isNamed || isSetHere || hasChanged else { return nil }
            var line = "\(view.definitions[trait].key) = "
            if hasChanged, let was { line += "\(view.text(was.value, of: trait)) → " }
            return line
                + "\(view.text(now.value, of: trait))  \(source(now.source, at: values.node))"
        }
    }

    /// `[override]` for what is set at the node, `[override of scene]` for what is inherited.
    private func source(_ source: Source, at node: NodeIndex) -> String {
        if source.kind == .default { return "[default]" }
        if let deleted = source.deletedNode {
            let name = view.session.withState { $0.hierarchy.identifier(of: deleted) }
            return "[\(source.kind.name) of \(name), which is gone]"
        }
        guard let holder = source.node, holder != node else { return "[\(source.kind.name)]" }
        return "[\(source.kind.name) of \(view.name(holder))]"
    }

    /// Writes how many nodes have new values, and which registrations and scopes are notified.
    func writeEffects(of outcomes: [CommitOutcome], to output: OutputFile) {
        let changed = after.count { before[$0.name] != $0 }
        let gone = before.count - after.count { before[$0.name] != nil }
        put("", to: output)
        put(
            "\(changed) of \(after.count) nodes change" + (gone > 0 ? ", \(gone) go" : ""),
            to: output)
        for outcome in outcomes {
            for case .change(let note) in outcome.notes {
                guard let id = note.id else { continue }
                put("registration \(id) at \(note.node) is notified", to: output)
            }
            for case .invalidation(let note) in outcome.notes {
                put("scope \(note.scope) at \(note.node) becomes stale", to: output)
            }
        }
    }

    private func put(_ line: String, to output: OutputFile) {
        var line = line + "\n"
        line.withUTF8 { output.write(UnsafeRawBufferPointer($0)) }
    }
}
