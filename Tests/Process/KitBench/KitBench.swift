// How long an update of many views takes: a trait changes at the root, and all but a few views lay out
// because they read it. The same is done with a tree of objects that makes TraitKit's walks without traits, whose
// time bounds TraitKit's. Then how long a write on a controller takes, above many views and above few: without
// registrations below, a write must not walk the views.
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
        let walks = WalkTree(views: views)
        guard kit.leaves == walks.leaves else { failed("the trees differ") }
        var times: (kit: [Double], walks: [Double]) = ([], [])
        for round in 0..<rounds {
            let isCompact = round.isMultiple(of: 2)
            times.kit.append(time { kit.update(isCompact) })
            times.walks.append(time { walks.update(isCompact) })
            let counts = [kit.layouts, walks.layouts]
            guard counts.allSatisfy({ $0 == (round + 2) * kit.leaves }),
                kit.compactLeaves == (isCompact ? kit.leaves : 0),
                walks.compactLeaves == kit.compactLeaves
            else { failed("round \(round): \(counts) layouts") }
        }
        print(
            "\(views) views, \(kit.leaves) layouts that read the trait, \(rounds) rounds, milliseconds:"
        )
        show("TraitKit", times.kit)
        show("the walks alone", times.walks)
        show("TraitKit, times the walks, by rounds", zip(times.kit, times.walks).map(/))
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

    /// Milliseconds of the thread's processor time: other processes do not count.
    @MainActor
    private static func time(_ body: () -> Void) -> Double {
        let start = clock()
        body()
        return clock() - start
    }

    private static func clock() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return Double(now.tv_sec) * 1e3 + Double(now.tv_nsec) / 1e6
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

/// Objects that an update visits as TraitKit does: from the top down, by depth, each found by its number, with a call
/// before and one after its handlers; then those whose layout waits are prepared and laid out, before anything
/// deeper is visited. No object has traits: none is resolved, compared, recorded or made current.
@MainActor
private final class WalkTree {
    @MainActor
    class Node {
        let number: Int
        let depth: Int
        weak var parent: Node?
        weak var tree: WalkTree?
        var children: [Int] = []
        var needsLayout = false

        init(_ number: Int, below parent: Node?, of tree: WalkTree) {
            self.number = number
            self.parent = parent
            self.tree = tree
            depth = (parent?.depth ?? -1) + 1
            parent?.children.append(number)
        }

        func setNeedsLayout() {
            if needsLayout { return }
            needsLayout = true
            tree?.wait(self)
        }

        func willChange() {}
        func didChange() {}
        func prepareForLayout() {}
        func layout() {}
    }

    final class Leaf: Node {
        private var isCompact = false

        override func willChange() { setNeedsLayout() }

        override func layout() {
            let now = tree?.isCompact == true
            tree?.layouts += 1
            if now != isCompact { tree?.compactLeaves += now ? 1 : -1 }
            isCompact = now
        }
    }

    private struct Reference {
        weak var node: Node?
        var order = 0
    }

    private var nodes: [Node] = []
    private var references: [Int: Reference] = [:]
    private var waiting: [Int: Reference] = [:]
    private var lastOrder = 0
    private var levels: [Int: [Node]] = [:]
    private var turns: [ObjectIdentifier: Int] = [:]
    private(set) var leaves = 0
    private(set) var isCompact = false
    var layouts = 0
    var compactLeaves = 0

    init(views: Int) {
        let root = add(Node(0, below: nil, of: self))
        for _ in 0..<(views / (leavesOfContainer + 1)) {
            let container = add(Node(nodes.count, below: root, of: self))
            for _ in 0..<leavesOfContainer { add(Leaf(nodes.count, below: container, of: self)) }
            leaves += leavesOfContainer
        }
        run()
    }

    func update(_ isCompact: Bool) {
        self.isCompact = isCompact
        run()
    }

    @discardableResult
    private func add(_ node: Node) -> Node {
        nodes.append(node)
        references[node.number] = Reference(node: node)
        return node
    }

    func wait(_ node: Node) {
        if waiting[node.number] == nil {
            lastOrder += 1
            waiting[node.number] = Reference(node: node, order: lastOrder)
        }
        var top = node
        while let parent = top.parent { top = parent }
        if top === nodes[0] { levels[node.depth, default: []].append(node) }
    }

    private func run() {
        turns = [:]
        var (depth, level) = (0, [0])
        while !level.isEmpty {
            var next: [Int] = []
            for number in level {
                guard let node = references[number]?.node else { continue }
                node.willChange()
                node.didChange()
                next += node.children
            }
            layOut(levels.removeValue(forKey: depth) ?? [])
            (depth, level) = (depth + 1, next)
        }
        let left = waiting.values.sorted { $0.order < $1.order }
        for reference in left { reference.node?.prepareForLayout() }
    }

    private func layOut(_ nodes: [Node]) {
        for node in nodes where node.needsLayout {
            turns[ObjectIdentifier(node), default: 0] += 1
            node.prepareForLayout()
        }
        for node in nodes where node.needsLayout {
            node.needsLayout = false
            waiting[node.number] = nil
            node.layout()
        }
    }
}
