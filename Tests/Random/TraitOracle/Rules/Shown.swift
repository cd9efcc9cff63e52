// What the nodes of one state read, computed once for each node that is read.

import TraitEngine

final class Shown {
    let state: OracleState
    let parents: [String: String]
    private var known: [String: OracleState.Collection] = [:]

    init(_ state: OracleState) {
        self.state = state
        parents = state.traitParents()
    }

    /// What the node reads, for the traits that something on its path specifies.
    func collection(of id: String) -> OracleState.Collection {
        if let collection = known[id] { return collection }
        let collection =
            state.updates == .layout
            ? state.values(of: state.nodes[id]?.shown ?? [])
            : state.collection(of: id, inheriting: parents[id].map(collection(of:)) ?? [:])
        known[id] = collection
        return collection
    }

    func read(_ trait: String, at id: String) -> OracleState.Resolved {
        state.read(trait, in: collection(of: id))
    }
}
