// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "ThemeLab",
    dependencies: [
        // In a package of your own: .package(url: "…/traitd", from: "0.1.0", traits: []).
        // Without the trait Server nothing is fetched that TraitKit does not need.
        .package(name: "traitd", path: "../..", traits: [])
    ],
    targets: [
        .target(
            name: "ThemeLab", dependencies: [.product(name: "TraitKitUI", package: "traitd")]),
        .testTarget(name: "ThemeLabTests", dependencies: ["ThemeLab"]),
    ],
    swiftLanguageModes: [.v6]
)
