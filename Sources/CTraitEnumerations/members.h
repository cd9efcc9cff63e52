// The enumerations and option sets of members that only keep what they are given, in C as UIKit's are.

#pragma once

#define OPEN __attribute__((enum_extensibility(open)))
#define FLAGS __attribute__((flag_enum, enum_extensibility(open)))

/// What kind of element a view is (`UIAccessibilityTraits`).
typedef enum FLAGS AccessibilityTraits : unsigned long {
    /// As UIKit's `button`.
    AccessibilityTraitsButton = 1,
    /// As UIKit's `link`.
    AccessibilityTraitsLink = 2,
    /// As UIKit's `image`.
    AccessibilityTraitsImage = 4,
    /// As UIKit's `selected`.
    AccessibilityTraitsSelected = 8,
    /// As UIKit's `staticText`.
    AccessibilityTraitsStaticText = 64,
    /// As UIKit's `notEnabled`.
    AccessibilityTraitsNotEnabled = 256,
    /// As UIKit's `adjustable`.
    AccessibilityTraitsAdjustable = 4096,
    /// As UIKit's `header`.
    AccessibilityTraitsHeader = 65536,
} AccessibilityTraits;

/// How far a program is in front (`UIApplication.State`).
typedef enum OPEN ApplicationState : long {
    /// As UIKit's `active`.
    ApplicationStateActive = 0,
    /// As UIKit's `inactive`.
    ApplicationStateInactive = 1,
    /// As UIKit's `background`.
    ApplicationStateBackground = 2,
} ApplicationState;

/// What follows the size of a superview (`UIView.AutoresizingMask`).
typedef enum FLAGS AutoresizingMask : unsigned long {
    /// As UIKit's `flexibleLeftMargin`.
    AutoresizingMaskFlexibleLeftMargin = 1,
    /// As UIKit's `flexibleWidth`.
    AutoresizingMaskFlexibleWidth = 2,
    /// As UIKit's `flexibleRightMargin`.
    AutoresizingMaskFlexibleRightMargin = 4,
    /// As UIKit's `flexibleTopMargin`.
    AutoresizingMaskFlexibleTopMargin = 8,
    /// As UIKit's `flexibleHeight`.
    AutoresizingMaskFlexibleHeight = 16,
    /// As UIKit's `flexibleBottomMargin`.
    AutoresizingMaskFlexibleBottomMargin = 32,
} AutoresizingMask;

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

/// The kinds of buttons (`UIButton.ButtonType`).
typedef enum OPEN ButtonType : long {
    /// As UIKit's `custom`.
    ButtonTypeCustom = 0,
    /// As UIKit's `system`.
    ButtonTypeSystem = 1,
    /// As UIKit's `detailDisclosure`.
    ButtonTypeDetailDisclosure = 2,
    /// As UIKit's `infoLight`.
    ButtonTypeInfoLight = 3,
    /// As UIKit's `infoDark`.
    ButtonTypeInfoDark = 4,
    /// As UIKit's `contactAdd`.
    ButtonTypeContactAdd = 5,
    /// As UIKit's `close`.
    ButtonTypeClose = 7,
} ButtonType;

/// What happens to a control (`UIControl.Event`).
typedef enum FLAGS ControlEvent : unsigned long {
    /// As UIKit's `touchDown`.
    ControlEventTouchDown = 1,
    /// As UIKit's `touchUpInside`.
    ControlEventTouchUpInside = 64,
    /// As UIKit's `touchUpOutside`.
    ControlEventTouchUpOutside = 128,
    /// As UIKit's `valueChanged`.
    ControlEventValueChanged = 4096,
    /// As UIKit's `primaryActionTriggered`.
    ControlEventPrimaryActionTriggered = 8192,
    /// As UIKit's `editingChanged`.
    ControlEventEditingChanged = 131072,
} ControlEvent;

/// The states of a control (`UIControl.State`).
typedef enum FLAGS ControlState : unsigned long {
    /// As UIKit's `highlighted`.
    ControlStateHighlighted = 1,
    /// As UIKit's `disabled`.
    ControlStateDisabled = 2,
    /// As UIKit's `selected`.
    ControlStateSelected = 4,
    /// As UIKit's `focused`.
    ControlStateFocused = 8,
} ControlState;

/// Corners of a layer (`CACornerMask`).
typedef enum FLAGS CornerMask : unsigned long {
    /// As UIKit's `layerMinXMinYCorner`.
    CornerMaskLayerMinXMinYCorner = 1,
    /// As UIKit's `layerMaxXMinYCorner`.
    CornerMaskLayerMaxXMinYCorner = 2,
    /// As UIKit's `layerMinXMaxYCorner`.
    CornerMaskLayerMinXMaxYCorner = 4,
    /// As UIKit's `layerMaxXMaxYCorner`.
    CornerMaskLayerMaxXMaxYCorner = 8,
} CornerMask;

/// When titles are large (`UINavigationItem.LargeTitleDisplayMode`).
typedef enum OPEN LargeTitleDisplayMode : long {
    /// As UIKit's `automatic`.
    LargeTitleDisplayModeAutomatic = 0,
    /// As UIKit's `always`.
    LargeTitleDisplayModeAlways = 1,
    /// As UIKit's `never`.
    LargeTitleDisplayModeNever = 2,
} LargeTitleDisplayMode;

/// A measure of a view (`NSLayoutConstraint.Attribute`).
typedef enum OPEN LayoutAttribute : long {
    /// As UIKit's `notAnAttribute`.
    LayoutAttributeNotAnAttribute = 0,
    /// As UIKit's `left`.
    LayoutAttributeLeft = 1,
    /// As UIKit's `right`.
    LayoutAttributeRight = 2,
    /// As UIKit's `top`.
    LayoutAttributeTop = 3,
    /// As UIKit's `bottom`.
    LayoutAttributeBottom = 4,
    /// As UIKit's `leading`.
    LayoutAttributeLeading = 5,
    /// As UIKit's `trailing`.
    LayoutAttributeTrailing = 6,
    /// As UIKit's `width`.
    LayoutAttributeWidth = 7,
    /// As UIKit's `height`.
    LayoutAttributeHeight = 8,
    /// As UIKit's `centerX`.
    LayoutAttributeCenterX = 9,
    /// As UIKit's `centerY`.
    LayoutAttributeCenterY = 10,
    /// As UIKit's `lastBaseline`.
    LayoutAttributeLastBaseline = 11,
    /// As UIKit's `firstBaseline`.
    LayoutAttributeFirstBaseline = 12,
} LayoutAttribute;

/// A direction (`NSLayoutConstraint.Axis`).
typedef enum OPEN LayoutAxis : long {
    /// As UIKit's `horizontal`.
    LayoutAxisHorizontal = 0,
    /// As UIKit's `vertical`.
    LayoutAxisVertical = 1,
} LayoutAxis;

/// How the sides of a constraint compare (`NSLayoutConstraint.Relation`).
typedef enum OPEN LayoutRelation : long {
    /// As UIKit's `lessThanOrEqual`.
    LayoutRelationLessThanOrEqual = -1,
    /// As UIKit's `equal`.
    LayoutRelationEqual = 0,
    /// As UIKit's `greaterThanOrEqual`.
    LayoutRelationGreaterThanOrEqual = 1,
} LayoutRelation;

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

/// Edges of a rectangle (`UIRectEdge`).
typedef enum FLAGS RectEdge : unsigned long {
    /// As UIKit's `top`.
    RectEdgeTop = 1,
    /// As UIKit's `left`.
    RectEdgeLeft = 2,
    /// As UIKit's `bottom`.
    RectEdgeBottom = 4,
    /// As UIKit's `right`.
    RectEdgeRight = 8,
    /// As UIKit's `all`.
    RectEdgeAll = 15,
} RectEdge;

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

/// How a stack places views across its axis (`UIStackView.Alignment`).
typedef enum OPEN StackAlignment : long {
    /// As UIKit's `fill`.
    StackAlignmentFill = 0,
    /// As UIKit's `leading`.
    StackAlignmentLeading = 1,
    /// As UIKit's `firstBaseline`.
    StackAlignmentFirstBaseline = 2,
    /// As UIKit's `center`.
    StackAlignmentCenter = 3,
    /// As UIKit's `trailing`.
    StackAlignmentTrailing = 4,
    /// As UIKit's `lastBaseline`.
    StackAlignmentLastBaseline = 5,
    /// As UIKit's `top`.
    StackAlignmentTop = 1,
    /// As UIKit's `bottom`.
    StackAlignmentBottom = 4,
} StackAlignment;

/// How views share the axis of a stack (`UIStackView.Distribution`).
typedef enum OPEN StackDistribution : long {
    /// As UIKit's `fill`.
    StackDistributionFill = 0,
    /// As UIKit's `fillEqually`.
    StackDistributionFillEqually = 1,
    /// As UIKit's `fillProportionally`.
    StackDistributionFillProportionally = 2,
    /// As UIKit's `equalSpacing`.
    StackDistributionEqualSpacing = 3,
    /// As UIKit's `equalCentering`.
    StackDistributionEqualCentering = 4,
} StackDistribution;

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

/// How text is aligned (`NSTextAlignment`).
typedef enum OPEN TextAlignment : long {
    /// As UIKit's `left`.
    TextAlignmentLeft = 0,
    /// As UIKit's `center`.
    TextAlignmentCenter = 1,
    /// As UIKit's `right`.
    TextAlignmentRight = 2,
    /// As UIKit's `justified`.
    TextAlignmentJustified = 3,
    /// As UIKit's `natural`.
    TextAlignmentNatural = 4,
} TextAlignment;

/// The border of a text field (`UITextField.BorderStyle`).
typedef enum OPEN TextFieldBorderStyle : long {
    /// As UIKit's `none`.
    TextFieldBorderStyleNone = 0,
    /// As UIKit's `line`.
    TextFieldBorderStyleLine = 1,
    /// As UIKit's `bezel`.
    TextFieldBorderStyleBezel = 2,
    /// As UIKit's `roundedRect`.
    TextFieldBorderStyleRoundedRect = 3,
} TextFieldBorderStyle;

/// How content is placed in a view (`UIView.ContentMode`).
typedef enum OPEN ViewContentMode : long {
    /// As UIKit's `scaleToFill`.
    ViewContentModeScaleToFill = 0,
    /// As UIKit's `scaleAspectFit`.
    ViewContentModeScaleAspectFit = 1,
    /// As UIKit's `scaleAspectFill`.
    ViewContentModeScaleAspectFill = 2,
    /// As UIKit's `redraw`.
    ViewContentModeRedraw = 3,
    /// As UIKit's `center`.
    ViewContentModeCenter = 4,
    /// As UIKit's `top`.
    ViewContentModeTop = 5,
    /// As UIKit's `bottom`.
    ViewContentModeBottom = 6,
    /// As UIKit's `left`.
    ViewContentModeLeft = 7,
    /// As UIKit's `right`.
    ViewContentModeRight = 8,
    /// As UIKit's `topLeft`.
    ViewContentModeTopLeft = 9,
    /// As UIKit's `topRight`.
    ViewContentModeTopRight = 10,
    /// As UIKit's `bottomLeft`.
    ViewContentModeBottomLeft = 11,
    /// As UIKit's `bottomRight`.
    ViewContentModeBottomRight = 12,
} ViewContentMode;

#undef OPEN
#undef FLAGS
