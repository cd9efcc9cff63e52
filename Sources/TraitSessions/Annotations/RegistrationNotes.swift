// The properties of registrations that the session keeps, since the engine does not know them.

import JSONCodec
import TraitEngine
import TraitJSON

/// Identifies a registration among earlier and later ones of its name.
package struct RegistrationKey: Hashable {
    let id: String
    /// The revision that made the registration.
    let revision: Int64
}

/// The properties of a registration that the engine does not have.
package struct RegistrationNote: Sendable {
    package let label: String?
    /// Milliseconds since 1970.
    package let createdAt: Int64
    /// The named sets that the registration was made for; nil when there were none. Later
    /// definitions may have changed the members of those sets.
    package let asked: AskedTraits?
    /// Seconds for which the registration outlives its last stream; nil for no lease.
    package var ttl: Int64?
}

/// The notes of a session's registrations. A note is kept until the log has acknowledged the registration's end.
package struct RegistrationNotes {
    private(set) var all: [RegistrationKey: RegistrationNote] = [:]
    /// The part of the session's digest for the notes of present registrations.
    var digest = StateDigest()

    init() {}

    /// The notes of registrations that are all present. O(notes).
    init(_ notes: [RegistrationKey: RegistrationNote]) {
        all = notes
        for (key, note) in notes { digest.add(note.digest(of: key)) }
    }

    package var count: Int { all.count }
    var isEmpty: Bool { all.isEmpty }

    package subscript(key: RegistrationKey) -> RegistrationNote? {
        get { all[key] }
        set { all[key] = newValue }
    }

    /// Drops the notes of registrations that undone commits made.
    mutating func forget(after head: Int64) {
        if isEmpty { return }
        all = all.filter { $0.key.revision <= head }
    }
}

extension RegistrationNote {
    /// The note with a time of creation, where the document has none.
    func dated(_ time: Int64) -> RegistrationNote {
        RegistrationNote(
            label: label, createdAt: createdAt == 0 ? time : createdAt, asked: asked, ttl: ttl)
    }
}

/// Traits as a body names them, with the sets that it names.
package struct AskedTraits: Equatable, Sendable {
    let sets: Set<TraitSetName>
    let others: TraitSet
    /// A hash of the names of sets and traits, in any order. It does not depend on trait indices, so it is the same
    /// in every copy of a session.
    package let digest: UInt64

    init(sets: Set<TraitSetName>, others: TraitSet, in definitions: TraitDefinitions) {
        self.sets = sets
        self.others = others
        var digest: UInt64 = 0
        for set in sets { digest &+= FactHash.mix(1, FactHash.hash(set.rawValue)) }
        for trait in others { digest &+= FactHash.mix(2, FactHash.hash(definitions[trait].key)) }
        self.digest = digest
    }
}
