// A node's links share words: what is written to one must not show in another.

import SeededRandom
import Testing

@testable import TraitEngine

@Suite struct NodeLinksTests {
    /// The links as plain numbers.
    private struct Model: Equatable {
        var last: Int32 = -1
        var next: Int32 = -1
        var previous: Int32 = -1
        var watch: Int32 = -1
        var extra: Int32 = -1
        var flags: NodeFlags = []

        init() {}

        init(_ links: NodeLinks) {
            (last, next, previous) = (links.last, links.next, links.previous)
            (watch, extra, flags) = (links.watch, links.extra, links.flags)
        }
    }

    @Test("Links of every size stay apart, with every kind and flag")
    func apart() {
        let largest = Int32(NodeHot.nodesMax - 1)
        let places: [Int32] = [-1, 0, 1, 255, 256, 65_535, 65_536, largest - 1, largest]
        var random = SeededRandom(seed: 3)
        for kind in NodeKind.allCases {
            var links = NodeLinks(kind: kind, flags: .created)
            var model = Model()
            model.flags = .created
            #expect(Model(links) == model)
            for _ in 0..<3_000 {
                let place = places.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<6, using: &random) {
                case 0: (links.last, model.last) = (place, place)
                case 1:
                    let next = Bool.random(using: &random) ? ~max(place, 0) : max(place, 0)
                    (links.next, model.next) = (next, next)
                case 2: (links.previous, model.previous) = (place, place)
                case 3: (links.watch, model.watch) = (place, place)
                case 4: (links.extra, model.extra) = (place, place)
                default:
                    let flags = NodeFlags(rawValue: UInt8.random(in: 0..<16, using: &random))
                    (links.flags, model.flags) = (flags, flags)
                }
                #expect(Model(links) == model && links.kind == kind)
            }
        }
    }

    @Test(
        "A free node keeps its place in the free list and says that it is free", arguments: [-1, 7])
    func free(_ next: Int32) {
        let links = NodeLinks(next: next, kind: .environment, flags: .free)
        #expect(links.flags == .free && links.next == next && links.last == -1)
    }

    @Test("Links fill a quarter of a cache line")
    func size() { #expect(MemoryLayout<NodeLinks>.stride == 16) }
}
