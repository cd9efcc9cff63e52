// The colours of the interface's elements: text, fills, backgrounds, separators.
//
// Source of the values: Apple publishes the names and roles, not the numbers. Flutter's
// `CupertinoColors` (packages/flutter/lib/src/cupertino/colors.dart) has the numbers of iOS 13,
// with light, dark, high-contrast and elevated variants; this file has the same. Only backgrounds
// have an elevated variant, and only for the dark style.

extension Color {
    /// For text with the main content. Follows style and contrast.
    public static let label = system(
        light: 0x000000, dark: 0xFFFFFF, lightContrast: 0x000000, darkContrast: 0xFFFFFF)
    /// For text with secondary content. Follows style and contrast.
    public static let secondaryLabel = system(
        light: 0x3C3C43, dark: 0xEBEBF5, lightContrast: 0x3C3C43, darkContrast: 0xEBEBF5,
        alphas: (153, 153, 173, 173))
    /// For text with tertiary content. Follows style and contrast.
    public static let tertiaryLabel = system(
        light: 0x3C3C43, dark: 0xEBEBF5, lightContrast: 0x3C3C43, darkContrast: 0xEBEBF5,
        alphas: (76, 76, 96, 96))
    /// For text with quaternary content. Follows style and contrast.
    public static let quaternaryLabel = system(
        light: 0x3C3C43, dark: 0xEBEBF5, lightContrast: 0x3C3C43, darkContrast: 0xEBEBF5,
        alphas: (45, 40, 66, 61))
    /// For placeholders in text fields. Follows style and contrast.
    public static let placeholderText = system(
        light: 0x3C3C43, dark: 0xEBEBF5, lightContrast: 0x3C3C43, darkContrast: 0xEBEBF5,
        alphas: (76, 76, 96, 96))
    /// For filling thin and small shapes. Follows style and contrast.
    public static let systemFill = system(
        light: 0x787880, dark: 0x787880, lightContrast: 0x787880, darkContrast: 0x787880,
        alphas: (51, 91, 71, 112))
    /// For filling shapes of medium size. Follows style and contrast.
    public static let secondarySystemFill = system(
        light: 0x787880, dark: 0x787880, lightContrast: 0x787880, darkContrast: 0x787880,
        alphas: (40, 81, 61, 102))
    /// For filling large shapes. Follows style and contrast.
    public static let tertiarySystemFill = system(
        light: 0x767680, dark: 0x767680, lightContrast: 0x767680, darkContrast: 0x767680,
        alphas: (30, 61, 51, 81))
    /// For filling large areas with complex content. Follows style and contrast.
    public static let quaternarySystemFill = system(
        light: 0x747480, dark: 0x767680, lightContrast: 0x747480, darkContrast: 0x767680,
        alphas: (20, 45, 40, 66))
    /// For thin lines that let content below show through. Follows style and contrast.
    public static let separator = system(
        light: 0x3C3C43, dark: 0x545458, lightContrast: 0x3C3C43, darkContrast: 0x545458,
        alphas: (73, 153, 94, 173))
    /// For lines that hide content below. Follows style and contrast.
    public static let opaqueSeparator = system(
        light: 0xC6C6C8, dark: 0x38383A, lightContrast: 0xC6C6C8, darkContrast: 0x38383A)
    /// For links. Follows style and contrast.
    public static let link = system(
        light: 0x007AFF, dark: 0x0984FF, lightContrast: 0x007AFF, darkContrast: 0x0984FF)
    /// For the main background. Follows style, contrast and level.
    public static let systemBackground = system(
        light: 0xFFFFFF, dark: 0x000000,
        lightContrast: 0xFFFFFF, darkContrast: 0x000000,
        darkElevated: 0x1C1C1E, darkElevatedContrast: 0x242426)
    /// For content on the main background. Follows style, contrast and level.
    public static let secondarySystemBackground = system(
        light: 0xF2F2F7, dark: 0x1C1C1E,
        lightContrast: 0xEBEBF0, darkContrast: 0x242426,
        darkElevated: 0x2C2C2E, darkElevatedContrast: 0x363638)
    /// For content on secondary backgrounds. Follows style, contrast and level.
    public static let tertiarySystemBackground = system(
        light: 0xFFFFFF, dark: 0x2C2C2E,
        lightContrast: 0xFFFFFF, darkContrast: 0x363638,
        darkElevated: 0x3A3A3C, darkElevatedContrast: 0x444446)
    /// For the main background of grouped content. Follows style, contrast and level.
    public static let systemGroupedBackground = system(
        light: 0xF2F2F7, dark: 0x000000,
        lightContrast: 0xEBEBF0, darkContrast: 0x000000,
        darkElevated: 0x1C1C1E, darkElevatedContrast: 0x242426)
    /// For content on the main background of grouped content. Follows style, contrast and level.
    public static let secondarySystemGroupedBackground = system(
        light: 0xFFFFFF, dark: 0x1C1C1E,
        lightContrast: 0xFFFFFF, darkContrast: 0x242426,
        darkElevated: 0x2C2C2E, darkElevatedContrast: 0x363638)
    /// For content on secondary backgrounds of grouped content. Follows style, contrast and level.
    public static let tertiarySystemGroupedBackground = system(
        light: 0xF2F2F7, dark: 0x2C2C2E,
        lightContrast: 0xEBEBF0, darkContrast: 0x363638,
        darkElevated: 0x3A3A3C, darkElevatedContrast: 0x444446)
    /// For text on light backgrounds. The same for all traits.
    public static let darkText = Color(white: 0)
    /// For text on dark backgrounds. The same for all traits.
    public static let lightText = Color(white: 1, alpha: 0.6)
}
