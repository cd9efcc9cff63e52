// The enumerations of applications, scenes, controllers, bars, cells and fonts, in C as UIKit's are.

#pragma once

#define OPEN __attribute__((enum_extensibility(open)))
#define FLAGS __attribute__((flag_enum, enum_extensibility(open)))

/// How far a program is in front (`UIApplication.State`).
typedef enum OPEN ApplicationState : long {
    /// As UIKit's `active`.
    ApplicationStateActive = 0,
    /// As UIKit's `inactive`.
    ApplicationStateInactive = 1,
    /// As UIKit's `background`.
    ApplicationStateBackground = 2,
} ApplicationState;

/// The buttons of the system (`UIBarButtonItem.SystemItem`).
typedef enum OPEN BarButtonSystemItem : long {
    /// As UIKit's `done`.
    BarButtonSystemItemDone = 0,
    /// As UIKit's `cancel`.
    BarButtonSystemItemCancel = 1,
    /// As UIKit's `edit`.
    BarButtonSystemItemEdit = 2,
    /// As UIKit's `save`.
    BarButtonSystemItemSave = 3,
    /// As UIKit's `add`.
    BarButtonSystemItemAdd = 4,
    /// As UIKit's `flexibleSpace`.
    BarButtonSystemItemFlexibleSpace = 5,
    /// As UIKit's `fixedSpace`.
    BarButtonSystemItemFixedSpace = 6,
    /// As UIKit's `compose`.
    BarButtonSystemItemCompose = 7,
    /// As UIKit's `reply`.
    BarButtonSystemItemReply = 8,
    /// As UIKit's `action`.
    BarButtonSystemItemAction = 9,
    /// As UIKit's `organize`.
    BarButtonSystemItemOrganize = 10,
    /// As UIKit's `bookmarks`.
    BarButtonSystemItemBookmarks = 11,
    /// As UIKit's `search`.
    BarButtonSystemItemSearch = 12,
    /// As UIKit's `refresh`.
    BarButtonSystemItemRefresh = 13,
    /// As UIKit's `stop`.
    BarButtonSystemItemStop = 14,
    /// As UIKit's `camera`.
    BarButtonSystemItemCamera = 15,
    /// As UIKit's `trash`.
    BarButtonSystemItemTrash = 16,
    /// As UIKit's `play`.
    BarButtonSystemItemPlay = 17,
    /// As UIKit's `pause`.
    BarButtonSystemItemPause = 18,
    /// As UIKit's `rewind`.
    BarButtonSystemItemRewind = 19,
    /// As UIKit's `fastForward`.
    BarButtonSystemItemFastForward = 20,
    /// As UIKit's `undo`.
    BarButtonSystemItemUndo = 21,
    /// As UIKit's `redo`.
    BarButtonSystemItemRedo = 22,
    /// As UIKit's `close`.
    BarButtonSystemItemClose = 24,
} BarButtonSystemItem;

/// What stands out in a font (`UIFontDescriptor.SymbolicTraits`).
typedef enum FLAGS FontSymbolicTraits : unsigned int {
    /// As UIKit's `traitItalic`.
    FontSymbolicTraitsTraitItalic = 1,
    /// As UIKit's `traitBold`.
    FontSymbolicTraitsTraitBold = 2,
    /// As UIKit's `traitExpanded`.
    FontSymbolicTraitsTraitExpanded = 32,
    /// As UIKit's `traitCondensed`.
    FontSymbolicTraitsTraitCondensed = 64,
    /// As UIKit's `traitMonoSpace`.
    FontSymbolicTraitsTraitMonoSpace = 1024,
    /// As UIKit's `classSansSerif`.
    FontSymbolicTraitsClassSansSerif = 2147483648,
} FontSymbolicTraits;

/// How a device may be held (`UIInterfaceOrientationMask`).
typedef enum FLAGS InterfaceOrientationMask : unsigned long {
    /// As UIKit's `portrait`.
    InterfaceOrientationMaskPortrait = 2,
    /// As UIKit's `portraitUpsideDown`.
    InterfaceOrientationMaskPortraitUpsideDown = 4,
    /// As UIKit's `landscapeRight`.
    InterfaceOrientationMaskLandscapeRight = 8,
    /// As UIKit's `landscapeLeft`.
    InterfaceOrientationMaskLandscapeLeft = 16,
    /// As UIKit's `landscape`.
    InterfaceOrientationMaskLandscape = 24,
    /// As UIKit's `allButUpsideDown`.
    InterfaceOrientationMaskAllButUpsideDown = 26,
    /// As UIKit's `all`.
    InterfaceOrientationMaskAll = 30,
} InterfaceOrientationMask;

/// When titles are large (`UINavigationItem.LargeTitleDisplayMode`).
typedef enum OPEN LargeTitleDisplayMode : long {
    /// As UIKit's `automatic`.
    LargeTitleDisplayModeAutomatic = 0,
    /// As UIKit's `always`.
    LargeTitleDisplayModeAlways = 1,
    /// As UIKit's `never`.
    LargeTitleDisplayModeNever = 2,
} LargeTitleDisplayMode;

/// How a controller is presented, as far as traits differ (`UIModalPresentationStyle`).
typedef enum OPEN ModalPresentationStyle : long {
    /// The presented content has the window's traits. UIKit decides by the device; here it is full screen.
    ModalPresentationStyleAutomatic = -2,
    /// No style: what a delegate answers that wants no adaptation.
    ModalPresentationStyleNone = -1,
    /// Over the whole window, with its traits.
    ModalPresentationStyleFullScreen = 0,
    /// A sheet of the window's width: its content is elevated.
    ModalPresentationStylePageSheet = 1,
    /// A sheet of a width of its own: its content is elevated, and compact.
    ModalPresentationStyleFormSheet = 2,
    /// Over the content of another controller, with the window's traits.
    ModalPresentationStyleCurrentContext = 3,
    /// By a presentation controller of the program; see `transitioningDelegate`.
    ModalPresentationStyleCustom = 4,
    /// Over the whole window, which stays visible, with the window's traits.
    ModalPresentationStyleOverFullScreen = 5,
    /// Over the content of another controller, which stays visible, with the window's traits.
    ModalPresentationStyleOverCurrentContext = 6,
    /// In a popover: its content is elevated, and compact. Full screen in compact width.
    ModalPresentationStylePopover = 7,
    /// Over the blurred window, with its traits; UIKit has it on tvOS.
    ModalPresentationStyleBlurOverFullScreen = 8,
} ModalPresentationStyle;

/// How a presentation would move (`UIModalTransitionStyle`).
typedef enum OPEN ModalTransitionStyle : long {
    /// As UIKit's `coverVertical`.
    ModalTransitionStyleCoverVertical = 0,
    /// As UIKit's `flipHorizontal`.
    ModalTransitionStyleFlipHorizontal = 1,
    /// As UIKit's `crossDissolve`.
    ModalTransitionStyleCrossDissolve = 2,
    /// As UIKit's `partialCurl`.
    ModalTransitionStylePartialCurl = 3,
} ModalTransitionStyle;

/// The sides of a popover (`UIPopoverArrowDirection`).
typedef enum FLAGS PopoverArrowDirection : unsigned long {
    /// As UIKit's `up`.
    PopoverArrowDirectionUp = 1,
    /// As UIKit's `down`.
    PopoverArrowDirectionDown = 2,
    /// As UIKit's `left`.
    PopoverArrowDirectionLeft = 4,
    /// As UIKit's `right`.
    PopoverArrowDirectionRight = 8,
    /// As UIKit's `any`.
    PopoverArrowDirectionAny = 15,
} PopoverArrowDirection;

/// How far a scene is in front (`UIScene.ActivationState`).
typedef enum OPEN SceneActivationState : long {
    /// As UIKit's `unattached`.
    SceneActivationStateUnattached = -1,
    /// As UIKit's `foregroundActive`.
    SceneActivationStateForegroundActive = 0,
    /// As UIKit's `foregroundInactive`.
    SceneActivationStateForegroundInactive = 1,
    /// As UIKit's `background`.
    SceneActivationStateBackground = 2,
} SceneActivationState;

/// The background of a primary column (`UISplitViewController.BackgroundStyle`).
typedef enum OPEN SplitBackgroundStyle : long {
    /// As UIKit's `none`.
    SplitBackgroundStyleNone = 0,
    /// As UIKit's `sidebar`.
    SplitBackgroundStyleSidebar = 1,
} SplitBackgroundStyle;

/// How columns share the width (`UISplitViewController.SplitBehavior`).
typedef enum OPEN SplitBehavior : long {
    /// As UIKit's `automatic`.
    SplitBehaviorAutomatic = 0,
    /// As UIKit's `tile`.
    SplitBehaviorTile = 1,
    /// As UIKit's `overlay`.
    SplitBehaviorOverlay = 2,
    /// As UIKit's `displace`.
    SplitBehaviorDisplace = 3,
} SplitBehavior;

/// A column of a split view (`UISplitViewController.Column`).
typedef enum OPEN SplitColumn : long {
    /// The outermost column.
    SplitColumnPrimary = 0,
    /// The column between the primary and the secondary one.
    SplitColumnSupplementary = 1,
    /// The column with the content.
    SplitColumnSecondary = 2,
    /// The column that replaces the others while the controller is collapsed.
    SplitColumnCompact = 3,
    /// A column beside the content, with details.
    SplitColumnInspector = 4,
} SplitColumn;

/// Which columns are shown (`UISplitViewController.DisplayMode`).
typedef enum OPEN SplitDisplayMode : long {
    /// As UIKit's `automatic`.
    SplitDisplayModeAutomatic = 0,
    /// As UIKit's `secondaryOnly`.
    SplitDisplayModeSecondaryOnly = 1,
    /// As UIKit's `oneBesideSecondary`.
    SplitDisplayModeOneBesideSecondary = 2,
    /// As UIKit's `oneOverSecondary`.
    SplitDisplayModeOneOverSecondary = 3,
    /// As UIKit's `twoBesideSecondary`.
    SplitDisplayModeTwoBesideSecondary = 4,
    /// As UIKit's `twoOverSecondary`.
    SplitDisplayModeTwoOverSecondary = 5,
    /// As UIKit's `twoDisplaceSecondary`.
    SplitDisplayModeTwoDisplaceSecondary = 6,
} SplitDisplayMode;

/// How many columns there are (`UISplitViewController.Style`).
typedef enum OPEN SplitStyle : long {
    /// The number of columns follows from the controllers that are set.
    SplitStyleUnspecified = 0,
    /// A primary and a secondary column.
    SplitStyleDoubleColumn = 1,
    /// A primary, a supplementary and a secondary column.
    SplitStyleTripleColumn = 2,
} SplitStyle;

/// The look of the status bar (`UIStatusBarStyle`).
typedef enum OPEN StatusBarStyle : long {
    /// As UIKit's `default`.
    StatusBarStyleDefault = 0,
    /// As UIKit's `lightContent`.
    StatusBarStyleLightContent = 1,
    /// As UIKit's `darkContent`.
    StatusBarStyleDarkContent = 3,
} StatusBarStyle;

/// The sign at the trailing edge of a cell (`UITableViewCell.AccessoryType`).
typedef enum OPEN TableCellAccessoryType : long {
    /// As UIKit's `none`.
    TableCellAccessoryTypeNone = 0,
    /// As UIKit's `disclosureIndicator`.
    TableCellAccessoryTypeDisclosureIndicator = 1,
    /// As UIKit's `detailDisclosureButton`.
    TableCellAccessoryTypeDetailDisclosureButton = 2,
    /// As UIKit's `checkmark`.
    TableCellAccessoryTypeCheckmark = 3,
    /// As UIKit's `detailButton`.
    TableCellAccessoryTypeDetailButton = 4,
} TableCellAccessoryType;

/// How a selected cell looks (`UITableViewCell.SelectionStyle`).
typedef enum OPEN TableCellSelectionStyle : long {
    /// As UIKit's `none`.
    TableCellSelectionStyleNone = 0,
    /// As UIKit's `blue`.
    TableCellSelectionStyleBlue = 1,
    /// As UIKit's `gray`.
    TableCellSelectionStyleGray = 2,
    /// As UIKit's `default`.
    TableCellSelectionStyleDefault = 3,
} TableCellSelectionStyle;

/// The arrangement of a cell's labels (`UITableViewCell.CellStyle`).
typedef enum OPEN TableCellStyle : long {
    /// A text, and an image beside it.
    TableCellStyleDefault = 0,
    /// A text, and a second one at the trailing edge.
    TableCellStyleValue1 = 1,
    /// A text at the leading edge, and a second one beside it.
    TableCellStyleValue2 = 2,
    /// A text, and a second one below it.
    TableCellStyleSubtitle = 3,
} TableCellStyle;

#undef OPEN
#undef FLAGS
