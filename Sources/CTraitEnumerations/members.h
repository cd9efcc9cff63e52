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

/// How changes would be animated (`UIView.AnimationOptions`).
typedef enum FLAGS AnimationOptions : unsigned long {
    /// As UIKit's `layoutSubviews`.
    AnimationOptionsLayoutSubviews = 1,
    /// As UIKit's `allowUserInteraction`.
    AnimationOptionsAllowUserInteraction = 2,
    /// As UIKit's `beginFromCurrentState`.
    AnimationOptionsBeginFromCurrentState = 4,
    /// As UIKit's `repeat`.
    AnimationOptionsRepeat = 8,
    /// As UIKit's `autoreverse`.
    AnimationOptionsAutoreverse = 16,
    /// As UIKit's `curveEaseIn`.
    AnimationOptionsCurveEaseIn = 65536,
    /// As UIKit's `curveEaseOut`.
    AnimationOptionsCurveEaseOut = 131072,
    /// As UIKit's `curveLinear`.
    AnimationOptionsCurveLinear = 196608,
    /// As UIKit's `transitionFlipFromLeft`.
    AnimationOptionsTransitionFlipFromLeft = 1048576,
    /// As UIKit's `transitionFlipFromRight`.
    AnimationOptionsTransitionFlipFromRight = 2097152,
    /// As UIKit's `transitionCrossDissolve`.
    AnimationOptionsTransitionCrossDissolve = 5242880,
} AnimationOptions;

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

/// The corners of a button (`UIButton.Configuration.CornerStyle`).
typedef enum OPEN ButtonCornerStyle : long {
    /// As UIKit's `fixed`.
    ButtonCornerStyleFixed = -1,
    /// As UIKit's `dynamic`.
    ButtonCornerStyleDynamic = 0,
    /// As UIKit's `small`.
    ButtonCornerStyleSmall = 1,
    /// As UIKit's `medium`.
    ButtonCornerStyleMedium = 2,
    /// As UIKit's `large`.
    ButtonCornerStyleLarge = 3,
    /// As UIKit's `capsule`.
    ButtonCornerStyleCapsule = 4,
} ButtonCornerStyle;

/// The size of a button (`UIButton.Configuration.Size`).
typedef enum OPEN ButtonSize : long {
    /// As UIKit's `medium`.
    ButtonSizeMedium = 0,
    /// As UIKit's `small`.
    ButtonSizeSmall = 1,
    /// As UIKit's `mini`.
    ButtonSizeMini = 2,
    /// As UIKit's `large`.
    ButtonSizeLarge = 3,
} ButtonSize;

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

/// Edges of a rectangle, by the direction of text (`NSDirectionalRectEdge`).
typedef enum FLAGS DirectionalRectEdge : unsigned long {
    /// As UIKit's `top`.
    DirectionalRectEdgeTop = 1,
    /// As UIKit's `leading`.
    DirectionalRectEdgeLeading = 2,
    /// As UIKit's `bottom`.
    DirectionalRectEdgeBottom = 4,
    /// As UIKit's `trailing`.
    DirectionalRectEdgeTrailing = 8,
    /// As UIKit's `all`.
    DirectionalRectEdgeAll = 15,
} DirectionalRectEdge;

/// The form of rounded corners (`CALayerCornerCurve`).
typedef enum OPEN LayerCornerCurve : long {
    /// Arcs of a circle.
    LayerCornerCurveCircular = 0,
    /// Curves without a jump.
    LayerCornerCurveContinuous = 1,
} LayerCornerCurve;

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

/// How lines break (`NSLineBreakMode`).
typedef enum OPEN LineBreakMode : long {
    /// As UIKit's `byWordWrapping`.
    LineBreakModeByWordWrapping = 0,
    /// As UIKit's `byCharWrapping`.
    LineBreakModeByCharWrapping = 1,
    /// As UIKit's `byClipping`.
    LineBreakModeByClipping = 2,
    /// As UIKit's `byTruncatingHead`.
    LineBreakModeByTruncatingHead = 3,
    /// As UIKit's `byTruncatingTail`.
    LineBreakModeByTruncatingTail = 4,
    /// As UIKit's `byTruncatingMiddle`.
    LineBreakModeByTruncatingMiddle = 5,
} LineBreakMode;

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

/// Whether a view is mirrored for languages that read from right to left (`UISemanticContentAttribute`).
typedef enum OPEN SemanticContentAttribute : long {
    /// Follows the direction of the traits.
    SemanticContentAttributeUnspecified = 0,
    /// Controls of playback, which are the same everywhere.
    SemanticContentAttributePlayback = 1,
    /// Controls that mean a direction in space, which are the same everywhere.
    SemanticContentAttributeSpatial = 2,
    /// Always from left to right.
    SemanticContentAttributeForceLeftToRight = 3,
    /// Always from right to left.
    SemanticContentAttributeForceRightToLeft = 4,
} SemanticContentAttribute;

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

/// Whether a tint is dimmed (`UIView.TintAdjustmentMode`).
typedef enum OPEN TintAdjustmentMode : long {
    /// As UIKit's `automatic`.
    TintAdjustmentModeAutomatic = 0,
    /// As UIKit's `normal`.
    TintAdjustmentModeNormal = 1,
    /// As UIKit's `dimmed`.
    TintAdjustmentModeDimmed = 2,
} TintAdjustmentMode;

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
