// swift-tools-version: 6.2
import PackageDescription

// The Swift client of traitd. A package of its own, so that an app that uses the client neither fetches nor
// builds the server. TraitClientCore has no I/O; TraitClient adds URLSession.

let package = Package(
    name: "TraitClient",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "TraitClient", targets: ["TraitClient"])
    ],
    targets: [
        .target(name: "TraitClientCore"),
        .target(name: "TraitClient", dependencies: ["TraitClientCore"]),
        .executableTarget(name: "TraitClientRunner", dependencies: ["TraitClient"]),
        .testTarget(name: "TraitClientCoreTests", dependencies: ["TraitClientCore"]),
        .testTarget(name: "TraitClientTests", dependencies: ["TraitClient"]),
    ],
    swiftLanguageModes: [.v6]
)
