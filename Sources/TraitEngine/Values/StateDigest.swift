// The state digest: 64 bits that follow from the state of a hierarchy alone. Two replicas of one
// session compare it at each revision, and an import compares it with its origin.
//
// The digest is the wrapping sum of one hash for each fact, so a commit adds and subtracts only the
// hashes of the facts that it changes. The constants of `FactHash` belong to the format of the
// digest: changing one, or what a fact consists of, changes every digest that was ever written.
// The hash has no secret key: the digest finds faults, and is no defence against attackers.

/// A sum of hashes of facts: of one fact, of several, or of the whole state of a hierarchy.
package struct StateDigest: Hashable, Sendable, BitwiseCopyable {
    /// With the revisions that are part of the state.
    package var full: UInt64
    /// Without revisions.
    package var content: UInt64

    package init(full: UInt64 = 0, content: UInt64 = 0) {
        self.full = full
        self.content = content
    }

    @inline(__always)
    package mutating func add(_ fact: StateDigest) {
        full &+= fact.full
        content &+= fact.content
    }

    @inline(__always)
    package mutating func remove(_ fact: StateDigest) {
        full &-= fact.full
        content &-= fact.content
    }

    @inline(__always)
    package static func + (left: StateDigest, right: StateDigest) -> StateDigest {
        var sum = left
        sum.add(right)
        return sum
    }
}

extension StateDigest {
    /// A fact without a revision.
    @inline(__always)
    init(fact: UInt64) { self.init(full: fact, content: fact) }

    /// A fact with the revision that made it so.
    @inline(__always)
    init(fact: UInt64, revision: Int64) {
        self.init(
            full: FactHash.mix(fact, UInt64(bitPattern: revision)), content: fact)
    }
}

/// The hash of one fact, made of 64-bit parts.
package enum FactHash {
    private static var left: UInt64 {
        @inline(__always) get { 0x9E37_79B9_7F4A_7C15 }
    }
    private static var right: UInt64 {
        @inline(__always) get { 0xD6E8_FEB8_6659_FD93 }
    }

    /// The kind of a fact, which starts its hash, so that facts of two kinds never have equal parts.
    enum Domain: UInt64 {
        case node = 1
        case order, value, frameValue, frame, shown, contentSize
        case trait, traitOrder, environmentTrait
        case environmentKey, environmentKeyOrder, color, colorOrder, image, imageOrder
        case registration, registrationOrder, scope, scopeOrder, revision
    }

    /// Both halves of a 128-bit product.
    @inline(__always)
    package static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let product = (first ^ left).multipliedFullWidth(by: second ^ right)
        return product.high ^ product.low
    }

    @inline(__always)
    static func start(_ domain: Domain) -> UInt64 { domain.rawValue &* right }

    /// O(length): eight bytes a step.
    @inline(__always)
    static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let count = bytes.count
        var state = UInt64(truncatingIfNeeded: count)
        var position = 0
        while position &+ 8 < count {
            state = mix(state, bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            position &+= 8
        }
        return mix(state, IdentifierKey.tail(bytes, from: position))
    }

    package static func hash(_ string: String) -> UInt64 {
        var string = string
        return string.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
    }

    static func hash(_ string: String?) -> UInt64 { string.map { mix(1, hash($0)) } ?? 0 }

    /// An opaque value counts as such only: nothing of it can be known.
    package static func hash(_ value: TraitValue) -> UInt64 {
        switch value {
        case .null: mix(1, 0)
        case .bool(let flag): mix(2, flag ? 1 : 0)
        case .int(let number): mix(3, UInt64(bitPattern: number))
        case .double(let number): mix(4, (number == 0 ? 0 : number).bitPattern)
        case .string(let string): mix(5, hash(string))
        case .structure(let fields): fields.reduce(mix(6, 0)) { mix($0, hash($1)) }
        case .opaque: mix(7, 0)
        case .json(let text): mix(8, hash(text))
        }
    }
}

struct DigestSums {
    /// Of everything but definitions and the revision.
    private(set) var sums = StateDigest()
    /// Of the definitions; nil after they changed, until the digest is read.
    private(set) var definitions: StateDigest?

    @inline(__always)
    mutating func add(_ facts: StateDigest) { sums.add(facts) }

    @inline(__always)
    mutating func remove(_ facts: StateDigest) { sums.remove(facts) }

    /// Undoes everything since the sums were these.
    mutating func restore(_ former: StateDigest) { sums = former }

    mutating func setDefinitions(_ digest: StateDigest) { definitions = digest }

    mutating func forgetDefinitions() { definitions = nil }
}
