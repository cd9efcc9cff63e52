// The system's colours, with their values for style and contrast.  Source of the values: the table
// "iOS, iPadOS system colors" of Apple's Human Interface Guidelines, Color, Specifications, as it
// stood before June 2025, when the values of iOS 26 replaced them. Apple says that the values may
// differ from release to release. The test "every tint has the published values" has the table in
// decimal. The grays are in Flutter's `CupertinoColors` too.

extension Color {
    /// The system's colours. They follow style and contrast, and some the level.
    public static let
        systemRed = system(
            light: 0xFF3B30, dark: 0xFF453A, lightContrast: 0xD70015, darkContrast: 0xFF6961),
        systemOrange = system(
            light: 0xFF9500, dark: 0xFF9F0A, lightContrast: 0xC93400, darkContrast: 0xFFB340),
        systemYellow = system(
            light: 0xFFCC00, dark: 0xFFD60A, lightContrast: 0xB25000, darkContrast: 0xFFD426),
        systemGreen = system(
            light: 0x34C759, dark: 0x30D158, lightContrast: 0x248A3D, darkContrast: 0x30DB5B),
        systemMint = system(
            light: 0x00C7BE, dark: 0x63E6E2, lightContrast: 0x0C817B, darkContrast: 0x66D4CF),
        systemTeal = system(
            light: 0x30B0C7, dark: 0x40C8E0, lightContrast: 0x008299, darkContrast: 0x5DE6FF),
        systemCyan = system(
            light: 0x32ADE6, dark: 0x64D2FF, lightContrast: 0x0071A4, darkContrast: 0x70D7FF),
        systemBlue = system(
            light: 0x007AFF, dark: 0x0A84FF, lightContrast: 0x0040DD, darkContrast: 0x409CFF),
        systemIndigo = system(
            light: 0x5856D6, dark: 0x5E5CE6, lightContrast: 0x3634A3, darkContrast: 0x7D7AFF),
        systemPurple = system(
            light: 0xAF52DE, dark: 0xBF5AF2, lightContrast: 0x8944AB, darkContrast: 0xDA8FFF),
        systemPink = system(
            light: 0xFF2D55, dark: 0xFF375F, lightContrast: 0xD30F45, darkContrast: 0xFF6482),
        systemBrown = system(
            light: 0xA2845E, dark: 0xAC8E68, lightContrast: 0x7F6545, darkContrast: 0xB59469),
        systemGray = system(
            light: 0x8E8E93, dark: 0x8E8E93, lightContrast: 0x6C6C70, darkContrast: 0xAEAEB2),
        systemGray2 = system(
            light: 0xAEAEB2, dark: 0x636366, lightContrast: 0x8E8E93, darkContrast: 0x7C7C80),
        systemGray3 = system(
            light: 0xC7C7CC, dark: 0x48484A, lightContrast: 0xAEAEB2, darkContrast: 0x545456),
        systemGray4 = system(
            light: 0xD1D1D6, dark: 0x3A3A3C, lightContrast: 0xBCBCC0, darkContrast: 0x444446),
        systemGray5 = system(
            light: 0xE5E5EA, dark: 0x2C2C2E, lightContrast: 0xD8D8DC, darkContrast: 0x363638),
        systemGray6 = system(
            light: 0xF2F2F7, dark: 0x1C1C1E, lightContrast: 0xEBEBF0, darkContrast: 0x242426)
}
