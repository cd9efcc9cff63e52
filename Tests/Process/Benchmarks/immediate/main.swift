// What an immediate session pays for what it does not use: the same few operations on an engine
// without layout mode, tracking, bridging and colours, on today's, and on today's with one scope,
// key or colour in another tree of the session. See immediate.sh, which builds it with both engines.
//
// usage: immediate CASE [COUNT] [BESIDE]        counted under callgrind
//        immediate time REPETITIONS [BESIDE]    timed, medians in nanoseconds

import Glibc
import TraitEngine

enum Case: String, CaseIterable {
    /// One trait at a random node, by handle.
    case resolve
    /// All 42 traits at a random node.
    case collect
    /// An override at a random node that notifies no registration, until it is acknowledged.
    case set
    /// An override at the root that a thousand registrations hear of.
    case tell
    /// A subtree of 1,111 nodes to another parent, where 123 registrations hear.
    case move
}

/// Ten children a node, 10,000 views below a scene; every third overrides a trait.
struct Session {
    let hierarchy = Hierarchy(hashSeed: 1)
    private(set) var traits: [TraitIndex] = []
    private(set) var nodes: [NodeIndex] = []
    private var all = TraitSet()
    private var state: UInt64 = 1

    init(_ beside: String) throws {
        hierarchy.begin()
        for number in 0..<20 {
            traits.append(
                try hierarchy.defineTrait(
                    TraitDefinition(key: "t\(number)", type: .int, defaultValue: .int(0))))
        }
        all = hierarchy.definitions.set(.all)
        nodes.append(try hierarchy.createNode("n0", kind: .environment))
        for number in 1..<10_000 {
            let parent = nodes[(number - 1) / 10]
            nodes.append(try hierarchy.createNode("n\(number)", kind: .view, parent: parent))
            if number % 3 == 0 {
                try hierarchy.setOverride(
                    nodes[number], traits[1 + number % 19], .int(Int64(number % 5)))
            }
        }
        for number in 0..<1_000 {
            _ = try hierarchy.register(
                "r\(number)", node: nodes[number * 9 + 5], traits: TraitSet([traits[0]]))
        }
        try add(beside)
        commit()
    }

    /// Something of what is new, in a tree of its own.
    private func add(_ beside: String) throws {
        if beside == "nothing" { return }
        #if TODAY
            let other = try hierarchy.createNode("other", kind: .environment)
            switch beside {
            case "scope": try hierarchy.setScope(other, "layoutSubviews", reads: [traits[0]])
            case "key":
                try hierarchy.defineEnvironmentKey(
                    EnvironmentKey(
                        key: "k", type: .int, defaultValue: .int(0), bridgedTrait: "t0"))
                try hierarchy.setEnvironment(other, "k", .int(1))
            case "color":
                let dark = try TraitCollection(
                    definitions: hierarchy.definitions, traits[0], .int(1))
                try hierarchy.defineDynamic(
                    DynamicValue(
                        kind: .color, name: "c",
                        variants: [
                            DynamicVariant(
                                when: TraitCollection(definitions: hierarchy.definitions),
                                value: "\"white\""),
                            DynamicVariant(when: dark, value: "\"black\""),
                        ]))
                _ = try hierarchy.register(
                    "c", node: other, traits: TraitSet(), colors: ["c"], images: [])
            default: fatalError("what is \(beside)?")
            }
        #else
            fatalError("this engine has no \(beside)")
        #endif
    }

    private func commit() {
        hierarchy.acknowledge(through: hierarchy.commit().revision)
    }

    private mutating func random(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }

    /// What is done is decided before it is timed or counted.
    mutating func run(_ what: Case, _ count: Int, _ measure: (() -> Void) -> Void) {
        let picks = (0..<count).map { _ in
            (nodes[random(nodes.count)], traits[1 + random(19)])
        }
        switch what {
        case .resolve: measure { hotResolve(picks) }
        case .collect: measure { hotCollect(picks) }
        case .set: measure { try? hotSet(picks) }
        case .tell: measure { try? hotTell(count) }
        case .move: measure { try? hotMove(count) }
        }
    }

    @inline(never)
    private func hotResolve(_ picks: [(NodeIndex, TraitIndex)]) {
        var sum: UInt64 = 0
        for (node, trait) in picks { sum &+= hierarchy.word(of: trait, at: node) }
        consume(sum)
    }

    @inline(never)
    private func hotCollect(_ picks: [(NodeIndex, TraitIndex)]) {
        var sum: UInt64 = 0
        for (node, _) in picks { hierarchy.words(of: all, at: node) { sum &+= $1 } }
        consume(sum)
    }

    @inline(never)
    private func hotSet(_ picks: [(NodeIndex, TraitIndex)]) throws {
        for (number, (node, trait)) in picks.enumerated() {
            hierarchy.begin()
            try hierarchy.setOverride(node, trait, .int(Int64(number + 10)))
            commit()
        }
    }

    @inline(never)
    private func hotTell(_ count: Int) throws {
        for number in 0..<count {
            hierarchy.begin()
            try hierarchy.setOverride(nodes[0], traits[0], .int(Int64(number % 2 + 1)))
            commit()
        }
    }

    /// Node 1 has a tenth of the tree below it; nodes 2 and 3 differ in what it hears of.
    @inline(never)
    private func hotMove(_ count: Int) throws {
        for number in 0..<count {
            hierarchy.begin()
            try hierarchy.updateNode(nodes[1], parent: .set(nodes[2 + number % 2]))
            if number == 0 {
                for side in 2...3 {
                    try hierarchy.setOverride(nodes[side], traits[0], .int(Int64(side)))
                }
            }
            commit()
        }
    }
}

@inline(never)
func consume(_ word: UInt64) {
    if word == 0x5EED_0F_0DD_B175 { print("", terminator: "") }
}

func nanoseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}

let arguments = CommandLine.arguments
let beside = arguments.count > 3 ? arguments[3] : "nothing"
let number = arguments.count > 2 ? Int(arguments[2]) ?? 1 : 1
if let what = arguments.dropFirst().first.flatMap(Case.init(rawValue:)) {
    var session = try Session(beside)
    // Buffers grow before anything is counted: callgrind counts the second call only by difference.
    session.run(what, 16) { $0() }
    session.run(what, number) { $0() }
} else {
    let counts: [Case: Int] = [
        .resolve: 20_000, .collect: 4_000, .set: 2_000, .tell: 20, .move: 40,
    ]
    var session = try Session(beside)
    for what in Case.allCases {
        let count = counts[what] ?? 1
        var medians: [Double] = []
        session.run(what, count) { $0() }
        for _ in 0..<max(1, number) {
            session.run(what, count) { body in
                let start = nanoseconds()
                body()
                medians.append(Double(nanoseconds() - start) / Double(count))
            }
        }
        medians.sort()
        print("\(what.rawValue) \(medians[medians.count / 2]) \(medians[0])")
    }
}
