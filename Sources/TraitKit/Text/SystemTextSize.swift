// The text size of the application: what fonts and metrics go by when they are given no traits.

internal import Foundation
internal import Synchronization

/// The text size that the person has chosen, for the whole process and on any thread.
///
/// The program supplies it, by `Application.preferredContentSizeCategory`.
enum SystemTextSize {
    private static let value = Mutex(ContentSizeCategory.large)

    static var category: ContentSizeCategory { value.withLock { $0 } }

    /// A collection of the text size alone.
    static var traits: TraitCollection { TraitCollection(preferredContentSizeCategory: category) }

    /// Posts `ContentSizeCategory.didChangeNotification` when the size is another one. An
    /// unspecified size leaves it as it is.
    static func change(to category: ContentSizeCategory) {
        let isNew = value.withLock { value in
            if category == .unspecified || value == category { return false }
            value = category
            return true
        }
        guard isNew else { return }
        NotificationCenter.default.post(
            name: ContentSizeCategory.didChangeNotification, object: nil,
            userInfo: [ContentSizeCategory.newValueUserInfoKey: category])
    }
}
