// swift-tools-version: 6.2
import PackageDescription

// The arrows only go down: traitd ▶ TraitService ▶ {SessionViews ▶ TraitSessions ▶ {TraitJSON ▶ TraitEngine,
// SessionLog, JSONCodec}, HTTPServer ▶ HTTPWire}; TraitKitUI ▶ TraitKit ▶ TraitEngine. Limits lies below all that have
// any.
// ARCHITECTURE.md says what each module knows and does not know.

/// Needs libFuzzer and code that counts its own steps, which .ci/fuzz asks the compiler for.
let fuzzer: [Target] =
    Context.environment["TRAITD_FUZZ"] == nil
    ? []
    : [
        .systemLibrary(name: "CLibFuzzer", path: "Tests/Random/Fuzz/CLibFuzzer"),
        .executableTarget(
            name: "traitd-fuzz", dependencies: ["FuzzTargets", "CLibFuzzer"],
            path: "Tests/Random/Fuzz/Driver"),
    ]

/// What shows ThreadSanitizer the locks, when .ci/sanitize asks for it.
let visibleMutex: [Target.Dependency] =
    Context.environment["TRAITD_SANITIZE"] == "thread" ? ["CVisibleMutex"] : []

/// The Swift client, which imports nothing of the server.
let client: [Target] = [
    // Decides, without I/O.
    .target(name: "TraitClientCore", path: "clients/swift/Sources/TraitClientCore"),
    .target(
        name: "TraitClient", dependencies: ["TraitClientCore"],
        path: "clients/swift/Sources/TraitClient"),
]

/// The tests of the client, and what clients/conformance drives. `TRAITD_ONLY=client` makes a package of these and the
/// client, which builds on every system that the client knows and waits for no build of the server.
let clientTests: [Target] = [
    .executableTarget(
        name: "TraitClientRunner", dependencies: ["TraitClient"],
        path: "clients/swift/Sources/TraitClientRunner"),
    .testTarget(
        name: "TraitClientCoreTests", dependencies: ["TraitClientCore"],
        path: "clients/swift/Tests/TraitClientCoreTests"),
    .testTarget(
        name: "TraitClientTests", dependencies: ["TraitClient"],
        path: "clients/swift/Tests/TraitClientTests"),
]
let isClientAlone = Context.environment["TRAITD_ONLY"] == "client"

extension Target.Dependency {
    /// A product of another package, which only the server, its tools and its tests need.
    static func server(_ product: String, _ package: String) -> Target.Dependency {
        .product(name: product, package: package, condition: .when(traits: ["Server"]))
    }
}

/// The server, TraitKit, their tools and tests.
let server: [Target] =
    [
        // System headers that Swift's Glibc module does not export, and system libraries.
        .systemLibrary(name: "CEpoll"),
        .systemLibrary(name: "CZlib"),
        .systemLibrary(name: "COpenSSL"),
        // SQLite's interface, and checksums for the pages of its databases.
        .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .systemLibrary(name: "CTicks"),
        // openapi.yaml, openapi.json, docs.html, clients/js/traitd.js and ui/, embedded when it is compiled.
        .target(name: "COpenAPI", exclude: ["docs.html", "openapi.json"]),

        // An environment for Swift's runtime where a preloaded library has taken it away.
        .target(name: "CEnvironment"),
        // The commit that the binary is built from.
        .target(
            name: "CBuild",
            cSettings: ["TRAITD_COMMIT", "TRAITD_DATE"].map {
                .define($0, to: "\"\(Context.environment[$0] ?? "")\"")
            }),

        .target(name: "Limits"),
        .target(
            name: "Background",
            dependencies: [
                .server("DequeModule", "swift-collections"),
                .server("HeapModule", "swift-collections"),
            ]),
        .systemLibrary(name: "CMalloc"),
        .target(name: "Ledger", dependencies: ["CMalloc"]),
        .target(name: "JSONCodec", dependencies: ["Limits", "Background"]),
        // From asset catalogs, files of Figma and design tokens to a session's document.
        .target(name: "Convert", dependencies: ["JSONCodec"]),
        .target(name: "HTTPWire", dependencies: ["Limits", "Background", "CMalloc", "CZlib"]),
        .target(
            name: "HTTPServer",
            dependencies: [
                "HTTPWire", "Limits", "Ledger", "Background", "CEpoll", "CTicks",
                .server("DequeModule", "swift-collections"),
            ] + visibleMutex),
        // .ci/devices makes Swift of devices.json.
        .target(
            name: "TraitEngine", dependencies: ["Limits"], exclude: ["Devices/devices.json"]),
        // The enumerations of trait values, in C as UIKit's are.
        .systemLibrary(name: "CTraitEnumerations"),
        .target(name: "TraitKit", dependencies: ["TraitEngine", "CTraitEnumerations"]),
        .target(name: "TraitKitUI", dependencies: ["TraitKit"]),
        .target(name: "SessionLog", dependencies: ["CZlib"]),
        .target(
            name: "SQLiteLog",
            dependencies: [
                "SessionLog", "Background", "CSQLite",
                .server("DequeModule", "swift-collections"),
            ]),
        // libcurl, loaded at run time by the processes that use it.
        .target(name: "CCurlClient"),
        .target(
            name: "EtcdLog",
            dependencies: ["SessionLog", "Background", "JSONCodec", "CCurlClient"]),
        // Definitions and values of traits in JSON, and errors that say what to do.
        .target(name: "TraitJSON", dependencies: ["TraitEngine", "JSONCodec"]),
        .target(
            name: "TraitSessions",
            dependencies: [
                "TraitJSON", "TraitEngine", "SessionLog", "JSONCodec", "Limits", "Ledger",
                "Background",
                .server("DequeModule", "swift-collections"),
                .server("HeapModule", "swift-collections"),
            ]),
        // What reads and plans: apply, revert, compare, the past, rows, backups, variants.
        .target(
            name: "SessionViews",
            dependencies: [
                "TraitSessions", "TraitJSON", "TraitEngine", "SessionLog", "JSONCodec", "Limits",
                "Ledger",
                "Background",
                .server("DequeModule", "swift-collections"),
                .server("HeapModule", "swift-collections"),
            ]),
        .target(
            name: "TraitService",
            dependencies: [
                "SessionViews", "TraitSessions", "TraitJSON", "TraitEngine", "SessionLog",
                "JSONCodec",
                "HTTPServer",
                "HTTPWire", "Limits", "Ledger", "Background", "COpenAPI", "COpenSSL", "CZlib",
                .server("DequeModule", "swift-collections"),
            ],
            // Statically, so that the binary needs no library that it uses one function of.
            linkerSettings: [.linkedLibrary(":libcrypto.a")]),
        .executableTarget(
            name: "traitd",
            dependencies: [
                "TraitService", "SessionViews", "TraitSessions", "TraitJSON", "SQLiteLog",
                "EtcdLog",
                "SessionLog", "HTTPServer",
                "HTTPWire", "JSONCodec", "Convert", "Limits", "Ledger", "Background",
                "CBuild", "CEnvironment",
                .server("ArgumentParser", "swift-argument-parser"),
                .server("Logging", "swift-log"),
            ]),

        // Test-only pieces; `swift build --product traitd` needs none of them.
        .systemLibrary(name: "CCurl", path: "Tests/Support/CCurl"),
        // Deadlines of tests.
        .target(name: "Waiting", path: "Tests/Support/Waiting"),
        // Requests that no other client would send.
        .target(
            name: "PlainClient", dependencies: ["HTTPServer"], path: "Tests/Support/PlainClient"),
        .target(
            name: "TestSupport", dependencies: ["TraitService", "HTTPServer", "Waiting", "CCurl"],
            path: "Tests/Support/TestSupport"),
        .testTarget(
            name: "BackgroundTests", dependencies: ["Background"],
            path: "Tests/Unit/BackgroundTests"),
        .testTarget(
            name: "ConvertTests", dependencies: ["Convert", "JSONCodec"],
            path: "Tests/Unit/ConvertTests"),
        // The grammar of JSON in its plainest form, for tests and fuzzing.
        .target(
            name: "JSONReference", dependencies: ["JSONCodec"], path: "Tests/Support/JSONReference"),
        // Memory that ends where nothing is mapped.
        .target(name: "GuardedBytes", path: "Tests/Support/GuardedBytes"),
        .testTarget(
            name: "JSONCodecTests",
            dependencies: ["JSONCodec", "JSONReference", "GuardedBytes", "SeededRandom"],
            path: "Tests/Unit/JSONCodecTests"),
        .testTarget(
            name: "HTTPWireTests",
            dependencies: ["HTTPWire", "Background", "GuardedBytes", "SeededRandom"],
            path: "Tests/Unit/HTTPWireTests"),
        .testTarget(name: "LedgerTests", dependencies: ["Ledger"], path: "Tests/Unit/LedgerTests"),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: ["HTTPServer", "Ledger", "SeededRandom", "TestSupport"],
            path: "Tests/Unit/HTTPServerTests"),
        // Random numbers that follow from a printed seed.
        .target(name: "SeededRandom", path: "Tests/Support/SeededRandom"),
        // The rules of the engine in their plainest form and random scripts that compare the two;
        // as a command it runs thousands of them.
        .executableTarget(
            name: "TraitOracle", dependencies: ["TraitEngine", "SeededRandom"],
            path: "Tests/Random/TraitOracle"),
        // The cases of UIKit's semantics, and what plays them on anything that has its traits.
        .target(name: "ConformanceCases", path: "Tests/Support/ConformanceCases"),
        .testTarget(
            name: "TraitEngineTests",
            dependencies: ["TraitEngine", "TraitOracle", "ConformanceCases", "SeededRandom"],
            path: "Tests/Unit/TraitEngineTests"),
        .testTarget(
            name: "TraitKitTests",
            dependencies: [
                "TraitKit", "TraitEngine", "ConformanceCases", "KitTestSupport", "SeededRandom",
            ], path: "Tests/Unit/TraitKitTests"),
        // Gives a test of TraitKit a hierarchy of its own.
        .target(
            name: "KitTestSupport", dependencies: ["TraitKit"], path: "Tests/Support/KitTestSupport"
        ),
        // Measures the engine. See docs/performance.
        .systemLibrary(name: "CFence", path: "Tests/Support/CFence"),
        .executableTarget(
            name: "traitd-bench",
            dependencies: [
                "TraitEngine", "JSONCodec", "CFence", "SeededRandom",
                .server("ArgumentParser", "swift-argument-parser"),
            ], path: "Tests/Process/EngineBench"),
        // Measures an update of many views, beside its walks alone.
        .executableTarget(
            name: "traitkit-bench", dependencies: ["TraitKit"], path: "Tests/Process/KitBench"),
        // Files as public code for UIKit has them; .ci/steps/uikit compiles each of them alone, in two language modes.
        .target(
            name: "UIKitSamples", dependencies: ["TraitKitUI"],
            path: "Tests/Support/Fixtures/uikit/samples"
        ),
        .testTarget(
            name: "TraitKitUITests",
            dependencies: ["TraitKitUI", "UIKitSamples", "KitTestSupport"],
            path: "Tests/Unit/TraitKitUITests"),
        .testTarget(
            name: "SeedTests", dependencies: ["TraitKit", "KitTestSupport"],
            path: "Tests/Unit/SeedTests"),
        // Logs that a test drives, and the rules that every log has to pass.
        .target(
            name: "SessionLogTestSupport", dependencies: ["SessionLog", "SeededRandom", "Waiting"],
            path: "Tests/Support/SessionLogTestSupport"),
        .testTarget(
            name: "SessionLogTests",
            dependencies: ["SessionLog", "SessionLogTestSupport", "Waiting"],
            path: "Tests/Unit/SessionLogTests"),
        // A disk whose calls fail.
        .target(
            name: "CFaultyDisk", path: "Tests/Support/CFaultyDisk",
            linkerSettings: [.linkedLibrary("sqlite3")]),
        // Random scripts on sessions over logs, and the command that runs thousands of them.
        .target(
            name: "SessionScripts",
            dependencies: [
                "SessionViews", "TraitSessions", "TraitJSON", "TraitEngine", "SessionLog",
                "SessionLogTestSupport", "JSONCodec", "Background",
                "SeededRandom", "Waiting",
            ], path: "Tests/Random/SessionScripts"),
        .executableTarget(
            name: "RunSessionScripts",
            dependencies: ["SessionScripts", "SQLiteLog"] + visibleMutex,
            path: "Tests/Random/SessionScriptsCommand"),
        // Damage to stored files, and the command that makes it by the thousand.
        .executableTarget(
            name: "RunDurability", dependencies: ["DurabilityRuns", "SeededRandom"],
            path: "Tests/Random/DurabilityCommand"),
        .target(
            name: "DurabilityRuns",
            dependencies: [
                "SQLiteLog", "SessionViews", "TraitSessions", "TraitJSON", "TraitEngine",
                "SessionLog",
                "SessionLogTestSupport",
                "SessionScripts", "CFaultyDisk", "SeededRandom",
            ], path: "Tests/Random/DurabilityRuns"),
        .testTarget(
            name: "SQLiteLogTests",
            dependencies: [
                "SQLiteLog", "SessionLog", "SessionLogTestSupport", "DurabilityRuns",
                "SessionViews", "TraitSessions", "TraitJSON", "SeededRandom", "SessionScripts",
            ], path: "Tests/Unit/SQLiteLogTests"),
        .testTarget(
            name: "EtcdLogTests",
            dependencies: [
                "EtcdLog", "SessionLog", "SessionLogTestSupport", "SeededRandom", "Simulated",
                "TestSupport", "traitd",
            ], path: "Tests/Unit/EtcdLogTests"),
        .testTarget(
            name: "TraitSessionsTests",
            dependencies: [
                "SessionViews", "TraitSessions", "TraitJSON", "TraitEngine", "SessionLog",
                "SessionLogTestSupport", "JSONCodec",
                "SessionScripts", "SeededRandom", "Waiting",
            ], path: "Tests/Unit/TraitSessionsTests"),
        .testTarget(
            name: "TraitServiceTests",
            dependencies: [
                "TraitService", "Limits", "Ledger", "TestSupport", "SessionLogTestSupport",
                "SessionScripts", "SeededRandom", "AccessMatrix", "ConformanceCases",
            ],
            path: "Tests/Unit/TraitServiceTests", exclude: ["Golden"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "TestSupport", "TraitService", "SQLiteLog", "SessionLog", "JSONCodec", "Limits",
                "SeededRandom", "traitd",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Process/EndToEndTests", exclude: ["Golden"]),

        // Sessions, logs and replicas in one process and one thread, whose whole run follows from a seed.
        .target(name: "CFibers", path: "Tests/Random/Simulation/CFibers"),
        .target(
            name: "Simulated",
            dependencies: ["Background", "CFibers", "JSONCodec", "SeededRandom"],
            path: "Tests/Random/Simulation/Simulated"),
        .testTarget(
            name: "SimulatedTests", dependencies: ["Simulated", "SeededRandom"],
            path: "Tests/Random/Simulation/SimulatedTests"),
        // Lets fibers run before the sections of a session's lock.
        .target(name: "CLocks", path: "Tests/Random/Simulation/CLocks"),
        // Replicas over the model of etcd, clients, faults and checks; the command runs one world for each seed.
        .target(
            name: "SimulatedWorld",
            dependencies: [
                "Simulated", "EtcdLog", "SessionViews", "TraitSessions", "TraitEngine",
                "SessionLog", "SessionLogTestSupport", "SessionScripts", "JSONCodec", "Background",
                "SQLiteLog", "CSQLite", "SeededRandom",
            ],
            path: "Tests/Random/Simulation/World"),
        .executableTarget(
            name: "RunSimulation", dependencies: ["SimulatedWorld", "CLocks"],
            path: "Tests/Random/Simulation/Run"),
        // The same random requests to the model of etcd and to etcd.
        .executableTarget(
            name: "CompareEtcd",
            dependencies: ["Simulated", "JSONCodec", "SeededRandom"],
            path: "Tests/Random/Simulation/CompareEtcd"),

        // Access checks in all combinations, as a command; tests take some of them.
        .executableTarget(
            name: "AccessMatrix",
            dependencies: [
                "TraitService", "SessionViews", "TraitSessions", "TraitJSON", "HTTPServer",
                "HTTPWire", "PlainClient", "SeededRandom",
            ],
            path: "Tests/Random/AccessMatrix"),

        // What is fuzzed. The test replays the corpus; the driver is there for `make fuzz` alone.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "TraitService", "SessionViews", "TraitSessions", "TraitJSON", "TraitEngine",
                "JSONCodec",
                "JSONReference",
                "GuardedBytes", "HTTPServer", "HTTPWire", "Convert", "PlainClient",
            ],
            path: "Tests/Random/Fuzz/Targets"),
        .testTarget(
            name: "FuzzCorpusTests", dependencies: ["FuzzTargets"],
            path: "Tests/Random/Fuzz/CorpusTests"),
    ] + fuzzer
    + (visibleMutex.isEmpty
        ? [] : [.target(name: "CVisibleMutex", path: "Tests/Support/CVisibleMutex")])

let clientProducts: [Product] = [.library(name: "TraitClient", targets: ["TraitClient"])]
let products: [Product] = [
    .executable(name: "traitd", targets: ["traitd"]),
    .library(name: "TraitEngine", targets: ["TraitEngine"]),
    .library(name: "TraitKit", targets: ["TraitKit"]),
    .library(name: "TraitKitUI", targets: ["TraitKitUI"]),
]

let package = Package(
    name: "traitd",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: isClientAlone ? clientProducts : clientProducts + products,
    // A package that wants a library alone depends on this one with `traits: []`: then no other package is
    // fetched.
    traits: [
        .default(enabledTraits: ["Server"]),
        .trait(name: "Server", description: "The daemon, its tools and tests."),
    ],
    dependencies: [
        .package(
            url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
        .package(url: "https://github.com/apple/swift-collections", .upToNextMinor(from: "1.6.0")),
        .package(url: "https://github.com/apple/swift-log", .upToNextMinor(from: "1.16.2")),
    ],
    targets: client + (isClientAlone ? clientTests : server),
    swiftLanguageModes: [.v6]
)
