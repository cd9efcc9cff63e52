// The parts of a session's digest that are not the engine's: the header, and the notes of registrations,
// which the engine does not know.

import TraitEngine

extension StateDigest {
    /// - Parameters:
    ///   - content: a hash of the properties that a copy of the session shares.
    ///   - own: hashes of the properties that are new in a copy.
    fileprivate init(content: UInt64, own: [UInt64]) {
        self.init(full: own.reduce(content) { FactHash.mix($0, $1) }, content: content)
    }
}

/// Kinds of facts, apart from the engine's.
private enum Domain: UInt64 {
    case header = 1_001
    case registrationNote
}

private func hash(_ domain: Domain, _ parts: [UInt64]) -> UInt64 {
    parts.reduce(FactHash.mix(domain.rawValue, 0)) { FactHash.mix($0, $1) }
}

extension SessionHeader {
    var digest: StateDigest {
        var parts = [
            FactHash.hash(configuration.propagation.rawValue),
            FactHash.hash(configuration.updates.rawValue),
        ]
        // A session with UIKit's traits has the digest that it always had.
        if !configuration.hasSystemTraits { parts.append(1) }
        let content = hash(.header, parts)
        return StateDigest(
            content: content,
            own: [FactHash.hash(name), FactHash.hash(uid), UInt64(bitPattern: createdAt)])
    }
}

extension RegistrationNote {
    func digest(of key: RegistrationKey) -> StateDigest {
        var parts = [FactHash.hash(key.id), label == nil ? 0 : 1, FactHash.hash(label ?? "")]
        if let asked { parts.append(asked.digest) }
        if let ttl { parts.append(FactHash.mix(3, UInt64(bitPattern: ttl))) }
        return StateDigest(
            content: hash(.registrationNote, parts),
            own: [UInt64(bitPattern: key.revision), UInt64(bitPattern: createdAt)])
    }
}
