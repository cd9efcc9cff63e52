// What the session adds to the engine's digest: its header, and what registrations carry beside
// what the engine knows of them.

import TraitEngine

extension StateDigest {
    static let zero = StateDigest(full: 0, content: 0)

    static func + (left: StateDigest, right: StateDigest) -> StateDigest {
        StateDigest(full: left.full &+ right.full, content: left.content &+ right.content)
    }

    mutating func add(_ fact: StateDigest) { self = self + fact }

    mutating func subtract(_ fact: StateDigest) {
        full &-= fact.full
        content &-= fact.content
    }
}

/// A 64-bit hash over the parts of a fact. Its key is a part of the format: every process and every
/// later version must come to the same digest. It finds faults; it does not resist attackers.
struct FactHash {
    private var state: UInt64

    /// - Parameter kind: tells facts of different kinds apart.
    init(_ kind: StaticString) {
        state = 0x9E37_79B9_7F4A_7C15
        kind.withUTF8Buffer { for byte in $0 { mix(UInt64(byte)) } }
    }

    mutating func mix(_ word: UInt64) {
        let product = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        state = product.high ^ product.low &+ 0x2545_F491_4F6C_DD1D
    }

    mutating func mix(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            mix(UInt64(bytes.count))
            var word: UInt64 = 0
            for (position, byte) in bytes.enumerated() {
                word = word << 8 | UInt64(byte)
                if position & 7 == 7 {
                    mix(word)
                    word = 0
                }
            }
            mix(word)
        }
    }

    var value: UInt64 { state }
}

extension SessionHeader {
    /// `content` leaves out what a copy of the session has anew: uid, name and time.
    var digest: StateDigest {
        var content = FactHash("session")
        content.mix(configuration.propagation.rawValue)
        content.mix(configuration.updates.rawValue)
        var full = content
        full.mix(name)
        full.mix(uid)
        full.mix(UInt64(bitPattern: createdAt))
        return StateDigest(full: full.value, content: content.value)
    }
}

extension RegistrationNote {
    func digest(of key: RegistrationKey) -> StateDigest {
        var content = FactHash("registration note")
        content.mix(key.id)
        content.mix(label ?? "")
        content.mix(label == nil ? 0 : 1)
        for set in TraitSetName.allCases where asked?.sets.contains(set) ?? false {
            content.mix(set.rawValue)
        }
        var full = content
        full.mix(UInt64(bitPattern: key.revision))
        full.mix(UInt64(bitPattern: createdAt))
        return StateDigest(full: full.value, content: content.value)
    }
}
