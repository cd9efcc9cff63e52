// The protocol by which a module lists its limits.

/// A structure of limits. Each stored property has one entry in the table and its default there
/// where it is declared.
package protocol LimitTable: Sendable {
    /// All limits at their defaults.
    init()
    /// Every limit once, in the order in which help and documents list them.
    static var all: [Limit<Self>] { get }
}

extension LimitTable {
    /// The entry of a property. A property without one is a mistake in the table, which tests find.
    package static func entry(of property: AnyKeyPath) -> Limit<Self> {
        guard let limit = all.first(where: { $0.property == property }) else {
            preconditionFailure("\(property) has no entry in the table of \(Self.self)")
        }
        return limit
    }
}
