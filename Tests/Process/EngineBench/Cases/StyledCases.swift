// The tree of Tests/Process/Benchmarks/chromium/tree.html, for a figure beside a browser engine's: every
// hundredth node has a value of its own, and the notified nodes see the root's.

import TraitEngine

enum Styled: BenchCase {
    static let name = "styled"
    static let measures = ["commit.styled"]

    static func run(_ bench: Bench) throws {
        let size = bench.settings.isQuick ? 1_000 : 100_000
        for wanted in [1, min(1_000, size / 2)] {
            var random = bench.random(20)
            let tree = try Tree(Tree.Plan(shape: .wide, nodes: size), &random)
            let theme = tree.traits.theme
            let values = tree.traits.values[tree.traits.themePosition]
            var isShielded = [Bool](repeating: false, count: size)
            tree.hierarchy.begin()
            for position in 1..<size {
                isShielded[position] = isShielded[Int(tree.parents[position])]
                guard position % 100 == 0 else { continue }
                isShielded[position] = true
                try tree.hierarchy.setOverride(tree.nodes[position], theme, values[3])
            }
            tree.hierarchy.finish()
            let open = (0..<size).filter { !isShielded[$0] }
            try tree.register(at: (0..<wanted).map { open[$0 * open.count / wanted] }) { _ in
                [theme]
            }
            let times = try bench.repeatedWarm(301) { round in
                var count = 0
                let elapsed = try bench.ticks.time {
                    count = try tree.hierarchy.write(tree.root, theme, values[round & 1 + 1])
                }
                // The first round sets the value that is there.
                if count != wanted, round > 0 {
                    throw BenchError("\(count) notified instead of \(wanted)")
                }
                return elapsed / 1_000
            }
            let subject = Subject(
                .wide, nodes: size, registrations: wanted, "every hundredth node overrides")
            bench.record("commit.styled", subject, .microseconds, times)
        }
    }
}
