// The sums of the digest, as they stand.

struct DigestSums {
    /// Of everything but definitions and the revision.
    var sums = StateDigest()
    /// Of the definitions; nil after they changed, until the digest is asked for.
    var definitions: StateDigest?
    /// The newest node and the hash of its name: the next node often stands behind it.
    var newest: (node: Int32, name: UInt64) = (-1, 0)
    /// Names of nodes hashed for facts, for tests of what operations cost.
    var hashedNames = 0
}
