package struct StateDigest: Hashable, Sendable {
    package var full: UInt64
    package var content: UInt64
    package init(full: UInt64, content: UInt64) { self.full = full; self.content = content }
}
extension Hierarchy { package var digest: StateDigest { StateDigest(full: 0, content: 0) } }
