// How long an update of many views takes: a trait changes at the root, and all but a few views lay out
// because they read it. The same is done with objects that keep their traits in dictionaries, the way
// one would write it first. Then how long a write on a controller takes, above many views and above few:
// without registrations below, a write must not walk the views.
//
// usage: traitkit-bench [views] [rounds]        (10000 views, 101 rounds; build with -c release)

import TraitKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@main
struct KitBench {
    @MainActor
    static func main() {
        let numbers = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
        guard numbers.allSatisfy({ $0 > 0 }), numbers.count <= 2 else {
            print("usage: traitkit-bench [views] [rounds]")
            exit(64)
        }
        let views = numbers.first ?? 10_000
        let rounds = numbers.count > 1 ? numbers[1] : 101
        let kit = KitTree(views: views)
        let naive = NaiveTree(views: views)
        guard kit.leaves == naive.leaves else { failed("the trees differ") }
        var times: (kit: [Double], naive: [Double]) = ([], [])
        for round in 0..<rounds {
            let isCompact = round.isMultiple(of: 2)
            times.kit.append(time { kit.update(isCompact) })
            times.naive.append(time { naive.update(isCompact) })
            guard kit.layouts == (round + 2) * kit.leaves, kit.layouts == naive.layouts,
                kit.compactLeaves == (isCompact ? kit.leaves : 0)
            else { failed("round \(round): \(kit.layouts), \(naive.layouts) layouts") }
        }
        print(
            "\(views) views, \(kit.leaves) layouts that read the trait, \(rounds) rounds, milliseconds:"
        )
        show("TraitKit", times.kit)
        show("naive", times.naive)
        print("a write on the controller of the views, without registrations, microseconds:")
        for count in [views, 100] { show("\(count) views", writes(above: count, rounds)) }
    }

    /// Microseconds of writes on a controller. The updates between them are not counted.
    @MainActor
    private static func writes(above count: Int, _ rounds: Int) -> [Double] {
        let (scene, controller) = (WindowScene(), ViewController())
        let window = Window(windowScene: scene)
        window.rootViewController = controller
        for _ in 0..<count { controller.view.addSubview(View()) }
        return (0..<rounds).map { round in
            scene.layoutIfNeeded()
            let isCompact = round.isMultiple(of: 2)
            return 1000
                * time {
                    controller.traitOverrides.horizontalSizeClass = isCompact ? .compact : .regular
                }
        }
    }

    private static func failed(_ what: String) -> Never {
        print("traitkit-bench: \(what)")
        exit(1)
    }

    private static func show(_ name: String, _ times: [Double]) {
        let sorted = times.sorted()
        func at(_ share: Double) -> String {
            let tenths = Int((sorted[Int(share * Double(sorted.count - 1))] * 10).rounded())
            return "\(tenths / 10).\(tenths % 10)"
        }
        print(
            "  \(name): median \(at(0.5)), middle half \(at(0.25)) to \(at(0.75)), least \(at(0))")
    }

    /// Milliseconds.
    @MainActor
    private static func time(_ body: () -> Void) -> Double {
        let clock = ContinuousClock()
        let elapsed = clock.measure(body)
        return Double(elapsed.components.attoseconds) / 1e15
            + Double(elapsed.components.seconds) * 1e3
    }
}

/// A leaf for every view but the containers, which hold 99 each.
private let leavesOfContainer = 99

@MainActor
private final class KitTree {
    final class Leaf: View {
        weak var tree: KitTree?
        private var isCompact = false

        override func layoutSubviews() {
            super.layoutSubviews()
            let now = traitCollection.horizontalSizeClass == .compact
            tree?.layouts += 1
            if now != isCompact { tree?.compactLeaves += now ? 1 : -1 }
            isCompact = now
        }
    }

    private let scene = WindowScene()
    private let window: Window
    private(set) var leaves = 0
    var layouts = 0
    var compactLeaves = 0

    init(views: Int) {
        window = Window(windowScene: scene)
        for _ in 0..<(views / (leavesOfContainer + 1)) {
            let container = View()
            for _ in 0..<leavesOfContainer {
                let leaf = Leaf()
                leaf.tree = self
                container.addSubview(leaf)
            }
            window.addSubview(container)
            leaves += leavesOfContainer
        }
        scene.layoutIfNeeded()
    }

    func update(_ isCompact: Bool) {
        scene.traitOverrides.horizontalSizeClass = isCompact ? .compact : .regular
        scene.layoutIfNeeded()
    }
}

/// Objects with dictionaries: a change is pushed down at once, and each view that read the trait lays out again.
@MainActor
private final class NaiveTree {
    @MainActor
    class Node {
        var children: [Node] = []
        var values: [String: Any] = [:]
        var overrides: [String: Any] = [:]
        var reads: Set<String> = []
        var needsLayout = true

        func value(_ trait: String) -> Any? {
            reads.insert(trait)
            return values[trait]
        }

        func layout() {}

        func take(_ trait: String, _ value: Any) {
            values[trait] = value
            if reads.contains(trait) { needsLayout = true }
            for child in children where child.overrides[trait] == nil { child.take(trait, value) }
        }

        func layoutIfNeeded() {
            if needsLayout {
                needsLayout = false
                reads = []
                layout()
            }
            for child in children { child.layoutIfNeeded() }
        }
    }

    @MainActor
    final class Leaf: Node {
        weak var tree: NaiveTree?
        private var isCompact = false

        override func layout() {
            let now = value("horizontalSizeClass") as? Int == 1
            tree?.layouts += 1
            if now != isCompact { tree?.compactLeaves += now ? 1 : -1 }
            isCompact = now
        }
    }

    private let root = Node()
    private(set) var leaves = 0
    var layouts = 0
    var compactLeaves = 0

    init(views: Int) {
        for _ in 0..<(views / (leavesOfContainer + 1)) {
            let container = Node()
            for _ in 0..<leavesOfContainer {
                let leaf = Leaf()
                leaf.tree = self
                container.children.append(leaf)
            }
            root.children.append(container)
            leaves += leavesOfContainer
        }
        root.layoutIfNeeded()
    }

    func update(_ isCompact: Bool) {
        root.overrides["horizontalSizeClass"] = isCompact ? 1 : 2
        root.take("horizontalSizeClass", isCompact ? 1 : 2)
        root.layoutIfNeeded()
    }
}
