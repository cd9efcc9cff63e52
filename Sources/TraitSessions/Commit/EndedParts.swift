// What a commit ends: registrations, scopes and nodes, counted for its answer.

import JSONCodec
import TraitEngine

/// The numbers of deleted nodes, of the overrides of these nodes, and of deleted scopes.
struct EndedCounts: Sendable {
    var nodes = 0
    var overrides = 0
    var scopes = 0

    static func += (counts: inout EndedCounts, other: EndedCounts) {
        counts.nodes += other.nodes
        counts.overrides += other.overrides
        counts.scopes += other.scopes
    }
}

/// The deleted parts that the answer to a write shows. A class, since outcomes are copied and few have one.
package final class EndedParts: Sendable {
    private let counts: EndedCounts
    /// How many registrations ended, and the first of their names.
    private let registrations: Int
    private let names: [String]

    init(_ counts: EndedCounts, registrations: Int, names: [String]) {
        self.counts = counts
        self.registrations = registrations
        self.names = names
    }

    /// `"ended":{"nodes","overrides","scopes","registrations":[…],"truncated"?}` of the open object.
    func write(into body: inout JSONWriter) {
        body.beginObject("ended")
        body.member("nodes", counts.nodes)
        body.member("overrides", counts.overrides)
        body.member("scopes", counts.scopes)
        body.member("registrations", names)
        body.flag("truncated", when: registrations > names.count)
        body.endObject()
    }
}
