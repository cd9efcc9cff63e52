// The names of the enumerations' cases, for descriptions. Values of C have no names of their own.
//
// Both the enumerations and their conformances are of this package, so no other one can conflict.
// swift-format-ignore-file: AvoidRetroactiveConformances

extension AccessibilityContrast: SystemEnumeration, @retroactive CustomStringConvertible {
    static let names = [-1: "unspecified", 0: "normal", 1: "high"]
}

extension DisplayGamut: SystemEnumeration, @retroactive CustomStringConvertible {
    static let names = [-1: "unspecified", 0: "SRGB", 1: "P3"]
}

extension ImageDynamicRange: SystemEnumeration, @retroactive CustomStringConvertible {
    static let names = [-1: "unspecified", 0: "standard", 1: "constrainedHigh", 2: "high"]
}

extension HDRHeadroomUsageLimit: SystemEnumeration, @retroactive CustomStringConvertible {
    static let names = [-1: "unspecified", 0: "active", 1: "inactive"]
}

extension ForceTouchCapability: SystemEnumeration, @retroactive CustomStringConvertible {
    static let names = [0: "unknown", 1: "unavailable", 2: "available"]
}

extension TraitEnvironmentLayoutDirection: SystemEnumeration, @retroactive CustomStringConvertible {
    static let names = [-1: "unspecified", 0: "leftToRight", 1: "rightToLeft"]
}

extension LegibilityWeight: SystemEnumeration, @retroactive CustomStringConvertible {
    static let names = [-1: "unspecified", 0: "regular", 1: "bold"]
}

extension ListEnvironment: SystemEnumeration, @retroactive CustomStringConvertible {
    static let names = [
        0: "unspecified", 1: "none", 2: "plain", 3: "grouped", 4: "insetGrouped", 5: "sidebar",
        6: "sidebarPlain",
    ]
}

extension SceneCaptureState: SystemEnumeration, @retroactive CustomStringConvertible {
    static let names = [-1: "unspecified", 0: "inactive", 1: "active"]
}

extension SplitViewControllerLayoutEnvironment: SystemEnumeration,
    @retroactive CustomStringConvertible
{
    static let names = [0: "none", 1: "expanded", 2: "collapsed"]
}

extension TabAccessoryEnvironment: SystemEnumeration, @retroactive CustomStringConvertible {
    static let names = [0: "unspecified", 1: "none", 2: "regular", 3: "inline"]
}

extension ToolbarItemPresentationSize: SystemEnumeration, @retroactive CustomStringConvertible {
    static let names = [-1: "unspecified", 0: "regular", 1: "small", 3: "large"]
}

extension UserInterfaceActiveAppearance: SystemEnumeration, @retroactive CustomStringConvertible {
    static let names = [-1: "unspecified", 0: "inactive", 1: "active"]
}

extension UserInterfaceIdiom: SystemEnumeration, @retroactive CustomStringConvertible {
    static let names = [
        -1: "unspecified", 0: "phone", 1: "pad", 2: "tv", 3: "carPlay", 5: "mac", 6: "vision",
    ]
}

extension UserInterfaceLevel: SystemEnumeration, @retroactive CustomStringConvertible {
    static let names = [-1: "unspecified", 0: "base", 1: "elevated"]
}

extension UserInterfaceSizeClass: SystemEnumeration, @retroactive CustomStringConvertible {
    static let names = [0: "unspecified", 1: "compact", 2: "regular"]
}

extension UserInterfaceStyle: SystemEnumeration, @retroactive CustomStringConvertible {
    static let names = [0: "unspecified", 1: "light", 2: "dark"]
}
