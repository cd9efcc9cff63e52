// SwiftUI's own environment values that stand for system traits. Reading one reads the trait;
// writing one overrides the trait for the content. An unspecified trait reads as SwiftUI's default.

extension EnvironmentValues {
    /// Light or dark; light when unspecified.
    public var colorScheme: ColorScheme {
        get { self[ColorSchemeKey.self] }
        set { self[ColorSchemeKey.self] = newValue }
    }

    /// The contrast; standard when unspecified. Read-only, as in SwiftUI.
    public var colorSchemeContrast: ColorSchemeContrast { self[ColorSchemeContrastKey.self] }

    /// The text size; large when unspecified.
    public var dynamicTypeSize: DynamicTypeSize {
        get { self[DynamicTypeSizeKey.self] }
        set { self[DynamicTypeSizeKey.self] = newValue }
    }

    /// The direction of layout; left to right when unspecified.
    public var layoutDirection: LayoutDirection {
        get { self[LayoutDirectionKey.self] }
        set { self[LayoutDirectionKey.self] = newValue }
    }

    /// Pixels per point; 1 when unspecified.
    public var displayScale: Double {
        get { self[DisplayScaleKey.self] }
        set { self[DisplayScaleKey.self] = newValue }
    }

    /// The length of a pixel in points.
    public var pixelLength: Double { 1 / displayScale }

    /// The horizontal size class; nil when unspecified.
    public var horizontalSizeClass: UserInterfaceSizeClass? {
        get { self[SpecifiedKey<TraitHorizontalSizeClass>.self] }
        set { self[SpecifiedKey<TraitHorizontalSizeClass>.self] = newValue }
    }

    /// The vertical size class; nil when unspecified.
    public var verticalSizeClass: UserInterfaceSizeClass? {
        get { self[SpecifiedKey<TraitVerticalSizeClass>.self] }
        set { self[SpecifiedKey<TraitVerticalSizeClass>.self] = newValue }
    }

    /// Whether the scene is mirrored or recorded.
    public var isSceneCaptured: Bool {
        get { self[SceneCaptureKey.self] }
        set { self[SceneCaptureKey.self] = newValue }
    }

    /// Whether the window is active; true when unspecified.
    public var appearsActive: Bool {
        get { self[ActiveAppearanceKey.self] }
        set { self[ActiveAppearanceKey.self] = newValue }
    }

    /// How bright images may become; nil when unspecified.
    public var allowedDynamicRange: ImageDynamicRange? {
        get { self[SpecifiedKey<TraitImageDynamicRange>.self] }
        set { self[SpecifiedKey<TraitImageDynamicRange>.self] = newValue }
    }

    /// How heavy text is; nil when unspecified.
    public var legibilityWeight: LegibilityWeight? {
        get { self[SpecifiedKey<TraitLegibilityWeight>.self] }
        set { self[SpecifiedKey<TraitLegibilityWeight>.self] = newValue }
    }
}

private struct ColorSchemeKey: TraitBridgedEnvironmentKey {
    static let defaultValue = ColorScheme.light

    static func read(from traits: TraitCollection) -> ColorScheme {
        ColorScheme(traits.userInterfaceStyle) ?? defaultValue
    }

    static func write(to traits: inout any MutableTraits, value: ColorScheme) {
        traits.userInterfaceStyle = UserInterfaceStyle(value)
    }
}

private struct ColorSchemeContrastKey: TraitBridgedEnvironmentKey {
    static let defaultValue = ColorSchemeContrast.standard

    static func read(from traits: TraitCollection) -> ColorSchemeContrast {
        ColorSchemeContrast(traits.accessibilityContrast) ?? defaultValue
    }

    static func write(to traits: inout any MutableTraits, value: ColorSchemeContrast) {
        traits.accessibilityContrast = AccessibilityContrast(value)
    }
}

private struct DynamicTypeSizeKey: TraitBridgedEnvironmentKey {
    static let defaultValue = DynamicTypeSize.large

    static func read(from traits: TraitCollection) -> DynamicTypeSize {
        DynamicTypeSize(traits.preferredContentSizeCategory) ?? defaultValue
    }

    static func write(to traits: inout any MutableTraits, value: DynamicTypeSize) {
        traits.preferredContentSizeCategory = ContentSizeCategory(value)
    }
}

private struct LayoutDirectionKey: TraitBridgedEnvironmentKey {
    static let defaultValue = LayoutDirection.leftToRight

    static func read(from traits: TraitCollection) -> LayoutDirection {
        LayoutDirection(traits.layoutDirection) ?? defaultValue
    }

    static func write(to traits: inout any MutableTraits, value: LayoutDirection) {
        traits.layoutDirection = TraitEnvironmentLayoutDirection(value)
    }
}

private struct DisplayScaleKey: TraitBridgedEnvironmentKey {
    static let defaultValue = 1.0

    static func read(from traits: TraitCollection) -> Double {
        traits.displayScale == 0 ? defaultValue : traits.displayScale
    }

    static func write(to traits: inout any MutableTraits, value: Double) {
        traits.displayScale = value
    }
}

private struct SceneCaptureKey: TraitBridgedEnvironmentKey {
    static let defaultValue = false

    static func read(from traits: TraitCollection) -> Bool { traits.sceneCaptureState == .active }

    static func write(to traits: inout any MutableTraits, value: Bool) {
        traits.sceneCaptureState = value ? .active : .inactive
    }
}

private struct ActiveAppearanceKey: TraitBridgedEnvironmentKey {
    static let defaultValue = true

    static func read(from traits: TraitCollection) -> Bool { traits.activeAppearance != .inactive }

    static func write(to traits: inout any MutableTraits, value: Bool) {
        traits.activeAppearance = value ? .active : .inactive
    }
}

/// The key of a trait whose unspecified value is nil in SwiftUI.
private struct SpecifiedKey<Definition: TraitDefinition>: TraitBridgedEnvironmentKey
where Definition.Value: Equatable {
    static var defaultValue: Definition.Value? { nil }

    static func read(from traits: TraitCollection) -> Definition.Value? {
        let value = traits[Definition.self]
        return value == Definition.defaultValue ? nil : value
    }

    static func write(to traits: inout any MutableTraits, value: Definition.Value?) {
        traits[Definition.self] = value ?? Definition.defaultValue
    }
}
