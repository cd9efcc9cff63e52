// The enumerations of trait values, in C as UIKit's are. Swift imports such an enumeration with the
// rules of UIKit's: every raw value is taken and kept, and a `switch` has an `@unknown default`.

#pragma once

#define OPEN __attribute__((enum_extensibility(open)))

/// The accessibility contrast (`UIAccessibilityContrast`).
typedef enum OPEN AccessibilityContrast : long {
    /// No value is specified.
    AccessibilityContrastUnspecified = -1,
    /// The usual contrast.
    AccessibilityContrastNormal = 0,
    /// More contrast, as a person has asked for.
    AccessibilityContrastHigh = 1,
} AccessibilityContrast;

/// A display's gamut (`UIDisplayGamut`).
typedef enum OPEN DisplayGamut : long {
    /// No value is specified.
    DisplayGamutUnspecified = -1,
    /// The colours of sRGB.
    DisplayGamutSRGB = 0,
    /// The wider colours of Display P3.
    DisplayGamutP3 = 1,
} DisplayGamut;

/// The dynamic range of images (`UIImage.DynamicRange`).
typedef enum OPEN ImageDynamicRange : long {
    /// No value is specified.
    ImageDynamicRangeUnspecified = -1,
    /// Standard range, whatever the image has.
    ImageDynamicRangeStandard = 0,
    /// Some high range, beside standard content.
    ImageDynamicRangeConstrainedHigh = 1,
    /// As much range as the image and the screen have.
    ImageDynamicRangeHigh = 2,
} ImageDynamicRange;

/// The limit on high dynamic range. The names read inverted: `active` means that the limit
/// holds, `inactive` that there is none.
typedef enum OPEN HDRHeadroomUsageLimit : long {
    /// No value is specified.
    HDRHeadroomUsageLimitUnspecified = -1,
    /// The limit holds: keep to standard range.
    HDRHeadroomUsageLimitActive = 0,
    /// There is no limit.
    HDRHeadroomUsageLimitInactive = 1,
} HDRHeadroomUsageLimit;

/// The force touch capability (`UIForceTouchCapability`); `unknown` plays the unspecified role.
typedef enum OPEN ForceTouchCapability : long {
    /// No value is specified; other traits call this case `unspecified`.
    ForceTouchCapabilityUnknown = 0,
    /// The screen does not feel pressure, or a person has turned that off.
    ForceTouchCapabilityUnavailable = 1,
    /// The screen feels how hard it is pressed.
    ForceTouchCapabilityAvailable = 2,
} ForceTouchCapability;

/// The direction of layout (`UITraitEnvironmentLayoutDirection`).
typedef enum OPEN TraitEnvironmentLayoutDirection : long {
    /// No value is specified.
    TraitEnvironmentLayoutDirectionUnspecified = -1,
    /// From left to right.
    TraitEnvironmentLayoutDirectionLeftToRight = 0,
    /// From right to left.
    TraitEnvironmentLayoutDirectionRightToLeft = 1,
} TraitEnvironmentLayoutDirection;

/// The legibility weight (`UILegibilityWeight`).
typedef enum OPEN LegibilityWeight : long {
    /// No value is specified.
    LegibilityWeightUnspecified = -1,
    /// Text as it is designed.
    LegibilityWeightRegular = 0,
    /// Heavier text, as a person has asked for.
    LegibilityWeightBold = 1,
} LegibilityWeight;

/// The kind of list around the content (`UIListEnvironment`).
typedef enum OPEN ListEnvironment : long {
    /// No value is specified.
    ListEnvironmentUnspecified = 0,
    /// The content is in no list.
    ListEnvironmentNone = 1,
    /// A plain list.
    ListEnvironmentPlain = 2,
    /// A list of groups.
    ListEnvironmentGrouped = 3,
    /// A list of groups that are inset.
    ListEnvironmentInsetGrouped = 4,
    /// A list in a sidebar.
    ListEnvironmentSidebar = 5,
    /// A plain list in a sidebar.
    ListEnvironmentSidebarPlain = 6,
} ListEnvironment;

/// Whether the scene is captured (`UISceneCaptureState`).
typedef enum OPEN SceneCaptureState : long {
    /// No value is specified.
    SceneCaptureStateUnspecified = -1,
    /// The scene is neither recorded nor mirrored.
    SceneCaptureStateInactive = 0,
    /// The scene is being recorded or mirrored.
    SceneCaptureStateActive = 1,
} SceneCaptureState;

/// A split view controller's layout (`UISplitViewController.LayoutEnvironment`).
///
/// The only system trait whose raw value 0 is specified: `none` means outside of a split view
/// controller.
typedef enum OPEN SplitViewControllerLayoutEnvironment : long {
    /// The content is in no split view controller.
    SplitViewControllerLayoutEnvironmentNone = 0,
    /// Several columns are shown.
    SplitViewControllerLayoutEnvironmentExpanded = 1,
    /// One column is shown alone.
    SplitViewControllerLayoutEnvironmentCollapsed = 2,
} SplitViewControllerLayoutEnvironment;

/// A tab accessory's place (`UITabAccessory.Environment`).
typedef enum OPEN TabAccessoryEnvironment : long {
    /// No value is specified.
    TabAccessoryEnvironmentUnspecified = 0,
    /// The content is in no accessory.
    TabAccessoryEnvironmentNone = 1,
    /// Above the tab bar.
    TabAccessoryEnvironmentRegular = 2,
    /// In the tab bar, which is collapsed.
    TabAccessoryEnvironmentInline = 3,
} TabAccessoryEnvironment;

/// A toolbar item's size (`UINSToolbarItemPresentationSize`). There is no 2.
typedef enum OPEN ToolbarItemPresentationSize : long {
    /// No value is specified.
    ToolbarItemPresentationSizeUnspecified = -1,
    /// The usual size.
    ToolbarItemPresentationSizeRegular = 0,
    /// The small size.
    ToolbarItemPresentationSizeSmall = 1,
    /// The large size.
    ToolbarItemPresentationSizeLarge = 3,
} ToolbarItemPresentationSize;

/// The active appearance (`UIUserInterfaceActiveAppearance`).
typedef enum OPEN UserInterfaceActiveAppearance : long {
    /// No value is specified.
    UserInterfaceActiveAppearanceUnspecified = -1,
    /// The window looks as if it were in the background.
    UserInterfaceActiveAppearanceInactive = 0,
    /// The window looks like the window in use.
    UserInterfaceActiveAppearanceActive = 1,
} UserInterfaceActiveAppearance;

/// The kind of interface (`UIUserInterfaceIdiom`). There is no 4.
typedef enum OPEN UserInterfaceIdiom : long {
    /// No value is specified.
    UserInterfaceIdiomUnspecified = -1,
    /// An iPhone.
    UserInterfaceIdiomPhone = 0,
    /// An iPad.
    UserInterfaceIdiomPad = 1,
    /// An Apple TV.
    UserInterfaceIdiomTv = 2,
    /// The screen of a car.
    UserInterfaceIdiomCarPlay = 3,
    /// A Mac.
    UserInterfaceIdiomMac = 5,
    /// An Apple Vision.
    UserInterfaceIdiomVision = 6,
} UserInterfaceIdiom;

/// The visual level (`UIUserInterfaceLevel`).
typedef enum OPEN UserInterfaceLevel : long {
    /// No value is specified.
    UserInterfaceLevelUnspecified = -1,
    /// The level of a window.
    UserInterfaceLevelBase = 0,
    /// The level above a window's, as of sheets and popovers.
    UserInterfaceLevelElevated = 1,
} UserInterfaceLevel;

/// A size class (`UIUserInterfaceSizeClass`).
typedef enum OPEN UserInterfaceSizeClass : long {
    /// No value is specified.
    UserInterfaceSizeClassUnspecified = 0,
    /// Little room.
    UserInterfaceSizeClassCompact = 1,
    /// Much room.
    UserInterfaceSizeClassRegular = 2,
} UserInterfaceSizeClass;

/// Light or dark (`UIUserInterfaceStyle`).
typedef enum OPEN UserInterfaceStyle : long {
    /// No value is specified.
    UserInterfaceStyleUnspecified = 0,
    /// Dark on light.
    UserInterfaceStyleLight = 1,
    /// Light on dark.
    UserInterfaceStyleDark = 2,
} UserInterfaceStyle;

#undef OPEN
