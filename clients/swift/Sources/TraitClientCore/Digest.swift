// The digest of docs/streams.md: what proves that a cache is right.

/// The hash of a pair: FNV-1a of 64 bits over node, trait and the canonical form of the value, then the
/// finalizer of MurmurHash3. The digest of a cache is the sum of these hashes modulo 2^64.
///
/// Complexity: O(n) in the bytes of the value.
public func pairHash(node: String, trait: String, value: TraitValue) -> UInt64 {
    pairHash(node: node, trait: trait, canonical: value.canonicalBytes)
}

func pairHash(node: String, trait: String, canonical: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    add(node.utf8)
    add(CollectionOfOne(0x0A))
    add(trait.utf8)
    add(CollectionOfOne(0x0A))
    add(canonical)
    hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
    hash = (hash ^ hash >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return hash ^ hash >> 33
}

extension UInt64 {
    /// The number as 16 hexadecimal digits, which is how records write a digest.
    public var digestText: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
