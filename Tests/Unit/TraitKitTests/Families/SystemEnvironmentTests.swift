// SwiftUI's own environment values over traits, views in SwiftUI content, and the traits of iOS 27.

import KitTestSupport
import Testing
import TraitKit

private struct Swatch: ViewRepresentable {
    let style: ColorScheme
    let log: Log

    func makeUIView(context: Context) -> ImageView {
        log.lines.append("make \(context.environment.colorScheme)")
        return ImageView()
    }

    func updateUIView(_ uiView: ImageView, context: Context) {
        uiView.backgroundColor = style == .dark ? .black : .white
        log.lines.append("update \(context.environment.colorScheme)")
    }
}

private struct Screenful: ViewControllerRepresentable {
    func makeCoordinator() -> String { "coordinator" }

    func makeUIViewController(context: Context) -> ViewController { ViewController() }

    func updateUIViewController(_ controller: ViewController, context: Context) {
        controller.view.traitOverrides[LabelTrait.self] = context.coordinator
    }
}

private struct LabelTrait: TraitDefinition {
    static let defaultValue = ""
}

@MainActor
private final class Log {
    var lines: [String] = []
}

@MainActor
@Suite("SwiftUI's values and views", .ownHierarchy)
struct SystemEnvironmentTests {
    private let scene = WindowScene()
    private let window: Window

    init() {
        window = Window(windowScene: scene)
    }

    @Test("an unspecified trait reads as SwiftUI's default")
    func defaults() {
        let values = EnvironmentValues()
        #expect(values.colorScheme == .light)
        #expect(values.colorSchemeContrast == .standard)
        #expect(values.dynamicTypeSize == .large)
        #expect(values.layoutDirection == .leftToRight)
        #expect(values.displayScale == 1)
        #expect(values.horizontalSizeClass == nil)
        #expect(values.verticalSizeClass == nil)
        #expect(values.legibilityWeight == nil)
        #expect(!values.isSceneCaptured)
        #expect(values.appearsActive)
        #expect(values.allowedDynamicRange == nil)
    }

    @Test("a written value reads back, and is the value of the trait")
    func bothWays() {
        var values = EnvironmentValues()
        values.colorScheme = .dark
        values.dynamicTypeSize = .accessibility3
        values.layoutDirection = .rightToLeft
        values.displayScale = 3
        values.horizontalSizeClass = .compact
        values.verticalSizeClass = .regular
        values.legibilityWeight = .bold
        values.isSceneCaptured = true
        values.appearsActive = false
        values.allowedDynamicRange = .high
        #expect(values.isSceneCaptured)
        #expect(values.traitCollection.sceneCaptureState == .active)
        #expect(!values.appearsActive)
        #expect(values.traitCollection.activeAppearance == .inactive)
        #expect(values.allowedDynamicRange == .high)
        #expect(values.traitCollection.imageDynamicRange == .high)
        #expect(values.colorScheme == .dark)
        #expect(values.dynamicTypeSize == .accessibility3)
        #expect(values.layoutDirection == .rightToLeft)
        #expect(values.displayScale == 3)
        #expect(values.horizontalSizeClass == .compact)
        #expect(values.verticalSizeClass == .regular)
        #expect(values.legibilityWeight == .bold)
        let traits = values.traitCollection
        #expect(traits.userInterfaceStyle == .dark)
        #expect(traits.preferredContentSizeCategory == .accessibilityExtraLarge)
        #expect(traits.layoutDirection == .rightToLeft)
        #expect(traits.displayScale == 3)
        #expect(traits.horizontalSizeClass == .compact)
        #expect(traits.verticalSizeClass == .regular)
        #expect(traits.legibilityWeight == .bold)
        values.horizontalSizeClass = nil
        #expect(values.traitCollection.horizontalSizeClass == .unspecified)
    }

    @Test("contrast is read, and every text size has its counterpart")
    func conversions() {
        let high = EnvironmentValues(TraitCollection(accessibilityContrast: .high))
        #expect(high.colorSchemeContrast == .increased)
        for (size, category) in zip(DynamicTypeSize.allCases, ContentSizeCategory.allCases) {
            #expect(ContentSizeCategory(size) == category)
            #expect(DynamicTypeSize(category) == size)
            #expect(size.isAccessibilitySize == category.isAccessibilityCategory)
        }
        #expect(DynamicTypeSize(.unspecified) == nil)
        #expect(ContentSizeCategory(DynamicTypeSize?.none) == .unspecified)
        #expect(UserInterfaceStyle(ColorScheme?.none) == .unspecified)
        #expect(AccessibilityContrast(ColorSchemeContrast.standard) == .normal)
        #expect(TraitEnvironmentLayoutDirection(LayoutDirection?.none) == .unspecified)
        #expect(UserInterfaceSizeClass(UserInterfaceSizeClass?.none) == .unspecified)
        #expect(LegibilityWeight(Optional.some(.bold)) == .bold)
        #expect(DynamicTypeSize.xSmall < .xxxLarge)
    }

    @Test("content reads the values of the scene, and is made again when one of them changes")
    func content() {
        let hosting = HostingController { environment in
            "\(environment.colorScheme) \(environment.dynamicTypeSize)"
        }
        window.rootViewController = hosting
        scene.layoutIfNeeded()
        #expect(hosting.content == "light large")
        scene.suppliedTraits.userInterfaceStyle = .dark
        scene.suppliedTraits.preferredContentSizeCategory = .extraSmall
        scene.layoutIfNeeded()
        #expect(hosting.content == "dark xSmall")
    }

    @Test(
        "a view as content is made once, updated with the content, and inherits what modifiers set")
    func representable() throws {
        let log = Log()
        let configuration = HostingConfiguration { environment in
            Swatch(style: environment.colorScheme, log: log)
        }.environment(\.layoutDirection, .rightToLeft)
        let hosting = HostingController(configuration: configuration)
        window.rootViewController = hosting
        scene.layoutIfNeeded()
        #expect(log.lines == ["make light", "update light"])
        let image = try #require(hosting.view.subviews.first as? ImageView)
        #expect(image.backgroundColor == .white)
        #expect(image.traitCollection.layoutDirection == .rightToLeft)

        scene.traitOverrides.userInterfaceStyle = .dark
        scene.layoutIfNeeded()
        #expect(log.lines == ["make light", "update light", "update dark"])
        #expect(hosting.view.subviews.first === image)
        #expect(image.backgroundColor == .black)
    }

    @Test("a controller as content keeps its coordinator, and its view stands in the content's")
    func controller() {
        let hosting = HostingController { _ in Screenful() }
        window.rootViewController = hosting
        scene.layoutIfNeeded()
        #expect(hosting.view.subviews.count == 1)
        #expect(hosting.view.subviews.first?.traitCollection[LabelTrait.self] == "coordinator")
    }

    @Test("content of another type replaces the former view")
    func replaced() {
        let hosting = HostingController<Any> { environment in
            environment.colorScheme == .dark ? "text" : Screenful() as Any
        }
        window.rootViewController = hosting
        scene.layoutIfNeeded()
        #expect(hosting.view.subviews.count == 1)
        scene.traitOverrides.userInterfaceStyle = .dark
        scene.layoutIfNeeded()
        #expect(hosting.view.subviews.isEmpty)
    }
}

@MainActor
@Suite("The traits of iOS 27", .ownHierarchy) struct NewerTraitTests {
    @Test("the new traits have their defaults, names and identifiers")
    func definitions() {
        let empty = TraitCollection()
        #expect(!empty.systemPrefersReducedResourceUsage)
        #expect(empty.navigationTitleAlignment == .automatic)
        #expect(empty.verticalBarEdge == .unspecified)
        #expect(TraitSystemPrefersReducedResourceUsage.name == "SystemPrefersReducedResourceUsage")
        #expect(
            TraitNavigationTitleAlignment.identifier == "UITraitNavigationTitleAlignment")
        let sparing = TraitCollection(systemPrefersReducedResourceUsage: true)
        #expect(sparing.systemPrefersReducedResourceUsage)
        #expect(sparing.changedTraits(from: empty).count == 1)
    }

    @Test("the new traits are inherited, overridden and observed like others")
    func flow() {
        let scene = WindowScene()
        let view = View()
        Window(windowScene: scene).addSubview(view)
        scene.layoutIfNeeded()
        var edges: [VerticalBarEdge] = []
        view.registerForTraitChanges(TraitCollection.systemTraitsAffectingVerticalBarEdge) {
            (view: View, _) in
            edges.append(view.traitCollection.verticalBarEdge)
        }
        scene.suppliedTraits[TraitVerticalBarEdge.self] = .trailing
        scene.traitOverrides.systemPrefersReducedResourceUsage = true
        scene.traitOverrides.navigationTitleAlignment = .center
        scene.layoutIfNeeded()
        #expect(edges == [.trailing])
        #expect(view.traitCollection.systemPrefersReducedResourceUsage)
        #expect(view.traitCollection.navigationTitleAlignment == .center)
    }

    @Test("one trait makes a collection for the newer system traits, too")
    func oneTrait() {
        #expect(TraitCollection(listEnvironment: .sidebar).listEnvironment == .sidebar)
        #expect(
            TraitCollection(tabAccessoryEnvironment: .inline).tabAccessoryEnvironment == .inline)
        #expect(TraitCollection(hdrHeadroomUsageLimit: .active).headroomUsageLimit == .active)
        #expect(
            TraitCollection(splitViewControllerLayoutEnvironment: .collapsed)
                .splitViewControllerLayoutEnvironment == .collapsed)
        #expect(
            TraitCollection(resolvesNaturalAlignmentWithBaseWritingDirection: false)
                .resolvesNaturalAlignmentWithBaseWritingDirection == false)
        let mutations: TraitCollection.TraitMutations = { $0.userInterfaceLevel = .elevated }
        #expect(TraitCollection(mutations: mutations).userInterfaceLevel == .elevated)
    }
}
