// Every member of EnvironmentValues that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

struct ThemeKey: EnvironmentKey {
    static let defaultValue = 0
}

func use(_ values: inout EnvironmentValues) {
    //: colorScheme
    let colorScheme: ColorScheme = values.colorScheme
    values.colorScheme = colorScheme
    //: dynamicTypeSize
    let dynamicTypeSize: DynamicTypeSize = values.dynamicTypeSize
    values.dynamicTypeSize = dynamicTypeSize
    //: layoutDirection
    let layoutDirection: LayoutDirection = values.layoutDirection
    values.layoutDirection = layoutDirection
    //: displayScale
    let displayScale: CGFloat = values.displayScale
    values.displayScale = displayScale
    //: horizontalSizeClass
    let horizontalSizeClass: UIUserInterfaceSizeClass? = values.horizontalSizeClass
    values.horizontalSizeClass = horizontalSizeClass
    //: verticalSizeClass
    let verticalSizeClass: UIUserInterfaceSizeClass? = values.verticalSizeClass
    values.verticalSizeClass = verticalSizeClass
    //: legibilityWeight
    let legibilityWeight: UILegibilityWeight? = values.legibilityWeight
    values.legibilityWeight = legibilityWeight
    //: colorSchemeContrast
    let colorSchemeContrast: ColorSchemeContrast = values.colorSchemeContrast
    _ = colorSchemeContrast
    //: subscript(_:)
    _ = values[ThemeKey.self]
    //: isSceneCaptured
    let isSceneCaptured: Bool = values.isSceneCaptured
    values.isSceneCaptured = isSceneCaptured
    //: pixelLength
    let pixelLength: CGFloat = values.pixelLength
    _ = pixelLength
    //: appearsActive
    let appearsActive: Bool = values.appearsActive
    values.appearsActive = appearsActive
    //: allowedDynamicRange
    let allowedDynamicRange: UIImage.DynamicRange? = values.allowedDynamicRange
    values.allowedDynamicRange = allowedDynamicRange
}
