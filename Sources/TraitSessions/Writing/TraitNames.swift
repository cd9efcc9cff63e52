// Which traits an answer or a stream is about.

import TraitEngine
import TraitJSON

/// Traits by name, as a request gives them.
package enum TraitNames {
    /// Every settable trait.
    case all
    /// Keys, identifiers and names of sets, separated by commas.
    case list(UnsafeRawBufferPointer)
    case names([String])
}

extension SessionState {
    /// The traits that are named, private ones left out.
    ///
    /// - Parameter withKeys: whether names of environment keys count, too.
    package func traits(
        _ names: TraitNames, withKeys: Bool = false
    ) throws(SessionError) -> TraitSet {
        switch names {
        case .all: return hierarchy.definitions.settable
        case .names(let names):
            return try traitSet(names: names, withKeys: withKeys) { _ in nil }
                .subtracting(TraitDefinitions.privateTraits)
        case .list(let list): return try traits(listed: list, withKeys)
        }
    }

    private func traits(
        listed list: UnsafeRawBufferPointer, _ withKeys: Bool
    ) throws(SessionError) -> TraitSet {
        var set = TraitSet()
        var start = 0
        while start <= list.count {
            let end = list.firstPlace(of: UInt8(ascii: ","), from: start)
            let name = UnsafeRawBufferPointer(rebasing: list[start..<end])
            if let trait = hierarchy.publicTrait(named: name) {
                set.insert(trait)
            } else {
                let name = String(decoding: name, as: UTF8.self)
                set.formUnion(
                    try traitSet(names: [name], withKeys: withKeys) { _ in nil }
                        .subtracting(TraitDefinitions.privateTraits))
            }
            start = end + 1
        }
        return set
    }
}
