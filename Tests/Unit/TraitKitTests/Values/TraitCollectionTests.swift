// Collections as values: what is equal, what is printed, what differs.

import KitTestSupport
import Testing
import TraitKit

private struct PointTrait: TraitDefinition {
    struct Point: Equatable, Sendable {
        var x = 0.0
    }

    static let defaultValue = Point()
    static let name = "Point"
}

private struct RatioTrait: TraitDefinition {
    static let defaultValue = 1.0
}

@Suite(.ownHierarchy) struct TraitCollectionTests {
    @Test("any comparable value can be held, and comes back")
    func customValues() {
        let traits = TraitCollection {
            $0[PointTrait.self] = .init(x: 2)
            $0[RatioTrait.self] = .infinity
            $0[ContainedTrait.self] = true
        }
        #expect(traits[PointTrait.self] == .init(x: 2))
        #expect(traits[RatioTrait.self] == .infinity)
        #expect(traits[ContainedTrait.self])
        #expect(TraitCollection()[RatioTrait.self] == 1)
    }

    @Test("equal means that every trait reads equal, whatever was stored and in which order")
    func equality() {
        let one = TraitCollection {
            $0[RatioTrait.self] = 1
            $0.userInterfaceStyle = .unspecified
            $0.typesettingLanguage = nil
            $0.splitViewControllerLayoutEnvironment = .none
        }
        #expect(one == TraitCollection())
        #expect(one.hashValue == TraitCollection().hashValue)
        #expect(one.changedTraits(from: nil).isEmpty)
        #expect(one != TraitCollection(displayScale: 1))
        #expect(UserInterfaceStyle(rawValue: 2) == .dark)
        #expect(UserInterfaceStyle(rawValue: 3)?.rawValue == 3)
    }

    @Test("a trait first used after a collection was made reads its default there, and compares so")
    func laterDefinition() {
        let before = TraitCollection { $0.displayScale = 2 }
        struct LateTrait: TraitDefinition {
            static let defaultValue = 7
        }
        let after = before.replacing(LateTrait.self, value: 7)
        #expect(before[LateTrait.self] == 7)
        #expect(before == after)
        #expect(before.hashValue == after.hashValue)
        #expect(after.changedTraits(from: before).isEmpty)
        let changed = after.replacing(LateTrait.self, value: 8).changedTraits(from: before)
        #expect(changed.map(ObjectIdentifier.init) == [ObjectIdentifier(LateTrait.self)])
    }

    @Test("inside of a closure a trait reads what was written, what was there, or its default")
    func readingInside() {
        let base = TraitCollection { $0.displayScale = 2 }
        _ = base.modifyingTraits { traits in
            #expect(traits.displayScale == 2)
            #expect(traits.userInterfaceStyle == .unspecified)
            #expect(traits[RatioTrait.self] == 1)
            traits[RatioTrait.self] = 3
            traits[RatioTrait.self] += 1
            #expect(traits[RatioTrait.self] == 4)
        }
        #expect(base[RatioTrait.self] == 1)
    }

    @Test("overrides print every one of them, and no engine's types")
    @MainActor func overrides() {
        struct Mood: TraitDefinition {
            enum Value { case calm, wild }
            static let defaultValue = Value.calm
        }
        let view = View()
        #expect("\(view.traitOverrides)" == "no overrides")
        view.traitOverrides.userInterfaceStyle = .dark
        view.traitOverrides.layoutDirection = .unspecified
        view.traitOverrides[Mood.self] = .wild
        #expect(
            "\(view.traitOverrides)"
                == "<TraitOverrides: UserInterfaceStyle = Dark, "
                + "UserInterfaceLayoutDirection = Unspecified, Mood = wild>")
        let children = Mirror(reflecting: view.traitOverrides).children.map {
            "\($0.label ?? ""): \($0.value)"
        }
        #expect(
            children == [
                "UserInterfaceStyle: Dark", "UserInterfaceLayoutDirection: Unspecified",
                "Mood: wild",
            ])
        #expect(view.traitOverrides.debugDescription == view.traitOverrides.description)
    }

    @Test("it prints what is not default, names in UIKit's short forms")
    func description() throws {
        let size = try #require(ToolbarItemPresentationSize(rawValue: 2))
        let traits = TraitCollection {
            $0.userInterfaceStyle = .dark
            $0.layoutDirection = .rightToLeft
            $0.displayScale = 3
            $0.displayGamut = .P3
            $0.preferredContentSizeCategory = .large
            $0.imageDynamicRange = .high
            $0.toolbarItemPresentationSize = size
            $0.horizontalSizeClass = .unspecified
            $0[PointTrait.self] = .init(x: 1)
        }
        #expect(
            "\(traits)" == """
                <TraitCollection: UserInterfaceStyle = Dark, UserInterfaceLayoutDirection = RTL, \
                DisplayScale = 3, PreferredContentSizeCategory = L, DisplayGamut = P3, \
                ToolbarItemPresentationSize = 2, ImageDynamicRange = 2, Point = Point(x: 1.0)>
                """)
        #expect("\(TraitCollection())" == "<TraitCollection>")
    }

    @Test("one value makes a collection, by trait or by the older initializers")
    func singleTraits() {
        let traits = TraitCollection(traitsFrom: [
            TraitCollection(userInterfaceIdiom: .pad), TraitCollection(userInterfaceStyle: .dark),
            TraitCollection(layoutDirection: .leftToRight), TraitCollection(displayScale: 2),
            TraitCollection(horizontalSizeClass: .regular),
            TraitCollection(verticalSizeClass: .compact),
            TraitCollection(forceTouchCapability: .available),
            TraitCollection(preferredContentSizeCategory: .small),
            TraitCollection(displayGamut: .SRGB), TraitCollection(accessibilityContrast: .high),
            TraitCollection(userInterfaceLevel: .elevated),
            TraitCollection(legibilityWeight: .bold),
            TraitCollection(activeAppearance: .active),
            TraitCollection(toolbarItemPresentationSize: .large),
            TraitCollection(imageDynamicRange: .standard),
            TraitCollection(typesettingLanguage: "ja"), TraitCollection(sceneCaptureState: .active),
        ])
        #expect(traits.changedTraits(from: nil).count == 17)
        #expect(traits.userInterfaceIdiom == .pad)
        #expect(traits.typesettingLanguage == "JA")
        #expect(
            TraitCollection(TraitUserInterfaceLevel.self, value: .base).userInterfaceLevel == .base)
    }

    @Test("all 22 traits have an accessor in collections and in containers")
    func accessors() {
        let traits = TraitCollection {
            $0.listEnvironment = .sidebar
            $0.tabAccessoryEnvironment = .inline
            $0.splitViewControllerLayoutEnvironment = .collapsed
            $0.hdrHeadroomUsageLimit = .active
            $0.resolvesNaturalAlignmentWithBaseWritingDirection = true
        }
        #expect(traits.listEnvironment.rawValue == 5)
        #expect(traits.tabAccessoryEnvironment.rawValue == 3)
        #expect(traits.splitViewControllerLayoutEnvironment.rawValue == 2)
        #expect(traits.headroomUsageLimit == .active)
        #expect(traits.resolvesNaturalAlignmentWithBaseWritingDirection == true)
        #expect(traits.changedTraits(from: nil).count == 5)
    }

    @Test("content sizes are ordered, the unspecified one stands outside of the order")
    func contentSizes() {
        let all = ContentSizeCategory.allCases
        #expect(all.count == 12)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0 < $1 && !($1 <= $0) })
        #expect(all.filter(\.isAccessibilityCategory).count == 5)
        for other in all {
            #expect(!(ContentSizeCategory.unspecified < other))
            #expect(!(other <= .unspecified))
            #expect(!(ContentSizeCategory.unspecified >= other))
        }
        #expect(!ContentSizeCategory.unspecified.isAccessibilityCategory)
        #expect(ContentSizeCategory.large.rawValue == "UICTContentSizeCategoryL")
    }

    @Test("every system trait's default is the engine's, and its own")
    func defaults() {
        let empty = TraitCollection()
        for (name, trait) in KitTrait.all {
            #expect(trait.read(empty) == trait.defaultValue, "\(name)")
        }
    }

    @Test("collections are made and traits defined on many threads at once")
    func concurrency() async {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask {
                    let traits = TraitCollection {
                        $0[Generic<Int>.self] = number
                        $0[Generic<String>.self] = "\(number)"
                        $0[Generic<[Int]>.self] = [number]
                    }
                    return traits.performAsCurrent {
                        TraitCollection.current[Generic<Int>.self] == number
                            && TraitCollection.current[Generic<String>.self] == "\(number)"
                            && TraitCollection.current[Generic<[Int]>.self] == [number]
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}

private protocol Initializable {
    init()
}

extension Int: Initializable {}
extension String: Initializable {}
extension Array: Initializable {}

private struct Generic<Value: Initializable & Equatable & Sendable>: TraitDefinition {
    static var defaultValue: Value { Value() }
}
