// The person's settings that are no traits.

public import Foundation

/// The person's settings (`UIAccessibility`). Read-only in UIKit; here the program sets them.
@preconcurrency @MainActor
public enum Accessibility {
    /// The settings, off at first.
    public static var isVoiceOverRunning = false, isReduceMotionEnabled = false,
        isBoldTextEnabled = false,
        isReduceTransparencyEnabled = false, isDarkerSystemColorsEnabled = false,
        isInvertColorsEnabled = false

    /// The notifications about settings, as UIKit names them. A program posts them itself.
    public nonisolated static let boldTextStatusDidChangeNotification =
        Foundation.Notification.Name("UIAccessibilityBoldTextStatusDidChangeNotification")

    /// What a program says to VoiceOver (`UIAccessibility.Notification`).
    public enum Notification: Sendable {
        /// What is spoken, or has changed.
        case screenChanged, layoutChanged, announcement, pageScrolled
    }

    /// Says something to VoiceOver: nothing listens.
    public static func post(notification: Notification, argument: Any?) {}
}
