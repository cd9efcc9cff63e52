// The names of the enumerations' cases, for descriptions. Values of C have no names of their own.
//
// Both the enumerations and their conformances are of this package, so no other one can conflict.
// swift-format-ignore-file: AvoidRetroactiveConformances

extension AccessibilityContrast: SystemEnumeration, @retroactive CustomStringConvertible {}
extension DisplayGamut: SystemEnumeration, @retroactive CustomStringConvertible {}
extension ImageDynamicRange: SystemEnumeration, @retroactive CustomStringConvertible {}
extension HDRHeadroomUsageLimit: SystemEnumeration, @retroactive CustomStringConvertible {}
extension ForceTouchCapability: SystemEnumeration, @retroactive CustomStringConvertible {}
extension TraitEnvironmentLayoutDirection: SystemEnumeration,
    @retroactive CustomStringConvertible
{}
extension LegibilityWeight: SystemEnumeration, @retroactive CustomStringConvertible {}
extension ListEnvironment: SystemEnumeration, @retroactive CustomStringConvertible {}
extension SceneCaptureState: SystemEnumeration, @retroactive CustomStringConvertible {}
extension SplitViewControllerLayoutEnvironment: SystemEnumeration,
    @retroactive CustomStringConvertible
{}
extension TabAccessoryEnvironment: SystemEnumeration, @retroactive CustomStringConvertible {}
extension ToolbarItemPresentationSize: SystemEnumeration, @retroactive CustomStringConvertible {}
extension UserInterfaceActiveAppearance: SystemEnumeration, @retroactive CustomStringConvertible {}
extension UserInterfaceIdiom: SystemEnumeration, @retroactive CustomStringConvertible {}
extension UserInterfaceLevel: SystemEnumeration, @retroactive CustomStringConvertible {}
extension UserInterfaceSizeClass: SystemEnumeration, @retroactive CustomStringConvertible {}
extension UserInterfaceStyle: SystemEnumeration, @retroactive CustomStringConvertible {}

extension SystemEnumeration {
    /// The name of the case, or the raw value where there is no case.
    public var description: String {
        namesOfCases[ObjectIdentifier(Self.self)]?[rawValue] ?? "\(rawValue)"
    }
}

/// By the types, and by the cases' raw values.
private let namesOfCases: [ObjectIdentifier: [Int: String]] = [
    ObjectIdentifier(AccessibilityContrast.self): [-1: "unspecified", 0: "normal", 1: "high"],
    ObjectIdentifier(DisplayGamut.self): [-1: "unspecified", 0: "SRGB", 1: "P3"],
    ObjectIdentifier(ImageDynamicRange.self): [
        -1: "unspecified", 0: "standard", 1: "constrainedHigh", 2: "high",
    ],
    ObjectIdentifier(HDRHeadroomUsageLimit.self): [-1: "unspecified", 0: "active", 1: "inactive"],
    ObjectIdentifier(ForceTouchCapability.self): [0: "unknown", 1: "unavailable", 2: "available"],
    ObjectIdentifier(TraitEnvironmentLayoutDirection.self): [
        -1: "unspecified", 0: "leftToRight", 1: "rightToLeft",
    ],
    ObjectIdentifier(LegibilityWeight.self): [-1: "unspecified", 0: "regular", 1: "bold"],
    ObjectIdentifier(ListEnvironment.self): [
        0: "unspecified", 1: "none", 2: "plain", 3: "grouped", 4: "insetGrouped", 5: "sidebar",
        6: "sidebarPlain",
    ],
    ObjectIdentifier(SceneCaptureState.self): [-1: "unspecified", 0: "inactive", 1: "active"],
    ObjectIdentifier(SplitViewControllerLayoutEnvironment.self): [
        0: "none", 1: "expanded", 2: "collapsed",
    ],
    ObjectIdentifier(TabAccessoryEnvironment.self): [
        0: "unspecified", 1: "none", 2: "regular", 3: "inline",
    ],
    ObjectIdentifier(ToolbarItemPresentationSize.self): [
        -1: "unspecified", 0: "regular", 1: "small", 3: "large",
    ],
    ObjectIdentifier(UserInterfaceActiveAppearance.self): [
        -1: "unspecified", 0: "inactive", 1: "active",
    ],
    ObjectIdentifier(UserInterfaceIdiom.self): [
        -1: "unspecified", 0: "phone", 1: "pad", 2: "tv", 3: "carPlay", 5: "mac", 6: "vision",
    ],
    ObjectIdentifier(UserInterfaceLevel.self): [-1: "unspecified", 0: "base", 1: "elevated"],
    ObjectIdentifier(UserInterfaceSizeClass.self): [0: "unspecified", 1: "compact", 2: "regular"],
    ObjectIdentifier(UserInterfaceStyle.self): [0: "unspecified", 1: "light", 2: "dark"],
]
