// Buttons, whose `updateConfiguration()` is tracked.

public import Foundation

/// A button (`UIButton`), as far as traits are concerned.
open class Button: View {
    /// Updates the configuration of a button (`UIButton.ConfigurationUpdateHandler`).
    public typealias ConfigurationUpdateHandler = @MainActor (Button) -> Void

    /// Runs after `updateConfiguration()`, and is tracked with it.
    public var configurationUpdateHandler: ConfigurationUpdateHandler? {
        didSet { setNeedsUpdateConfiguration() }
    }

    public override init(frame: Rect) {
        super.init(frame: frame)
        setNeedsUpdateConfiguration()
    }

    /// A view as `init(frame:)` makes it. Nothing is decoded: views are not archived.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        setNeedsUpdateConfiguration()
    }

    /// Updates what the button shows. Traits of the button that are read here are tracked; when one
    /// changes, the method runs again (iOS 18).
    open func updateConfiguration() {}

    /// Asks for `updateConfiguration()` in the next update.
    public func setNeedsUpdateConfiguration() { wait(for: .configuration) }

    override func invalidate(_ method: TrackedMethod) {
        super.invalidate(method)
        if method == .updateConfiguration { setNeedsUpdateConfiguration() }
    }

    override func runConfiguration() {
        track(.updateConfiguration) {
            updateConfiguration()
            configurationUpdateHandler?(self)
        }
    }
}
