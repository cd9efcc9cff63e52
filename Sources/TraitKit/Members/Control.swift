// Controls: their states, actions and values. No touches come in; a program sends actions itself.

internal import Foundation
internal import TraitEngine

/// The superclass of controls (`UIControl`).
@preconcurrency @MainActor
open class Control: View {
    /// The states of a control (`UIControl.State`).
    public typealias State = ControlState

    /// What happens to a control (`UIControl.Event`).
    public typealias Event = ControlEvent

    /// Whether the control can be used. A change asks for `updateConfiguration()` of buttons.
    @Kept open var isEnabled = true {
        didSet { if isEnabled != oldValue { stateChanged() } }
    }
    /// Whether the control is selected. A change asks for `updateConfiguration()` of buttons.
    @Kept open var isSelected = false {
        didSet { if isSelected != oldValue { stateChanged() } }
    }
    /// Whether the control is highlighted. A change asks for `updateConfiguration()` of buttons.
    @Kept open var isHighlighted = false {
        didSet { if isHighlighted != oldValue { stateChanged() } }
    }
    /// The states that hold.
    open var state: State {
        var state: State = isEnabled ? [] : .disabled
        if isSelected { state.insert(.selected) }
        if isHighlighted { state.insert(.highlighted) }
        return state
    }

    private var actions: [(event: Event, action: Action)] = []

    /// Adds an action for events.
    open func addAction(_ action: Action, for controlEvents: Event) {
        actions.append((controlEvents, action))
    }

    /// Performs the actions that were added for one of the events.
    open func sendActions(for controlEvents: Event) {
        for (event, action) in actions where !event.isDisjoint(with: controlEvents) {
            action.handler(action)
        }
    }

    func stateChanged() { setNeedsDisplay() }
}

extension ControlState {
    /// No other state.
    public static var normal: ControlState { [] }
}

extension AccessibilityTraits {
    /// No kind.
    public static var none: AccessibilityTraits { [] }
}

/// A titled closure (`UIAction`).
@preconcurrency @MainActor
public final class Action {
    /// The title.
    public var title: String
    /// The image beside the title.
    public var image: Image?
    /// A name for finding the action.
    public let identifier: String?
    let handler: @MainActor (Action) -> Void

    /// An action.
    public init(
        title: String = "", image: Image? = nil, identifier: String? = nil,
        handler: @escaping @MainActor (Action) -> Void
    ) {
        (self.title, self.image) = (title, image)
        (self.identifier, self.handler) = (identifier, handler)
    }
}

extension Button {
    /// The kinds of buttons (`UIButton.ButtonType`).
    public typealias ButtonType = CTraitEnumerations.ButtonType

    /// The values of a button for one state.
    struct Content {
        var title: String?
        var titleColor: Color?
        var image: Image?
    }

    /// A button of a kind.
    public convenience init(type buttonType: ButtonType) {
        self.init(frame: .zero)
        self.buttonType = buttonType
    }

    /// A button that performs an action when `primaryActionTriggered` or `touchUpInside` is sent.
    public convenience init(primaryAction: Action) {
        self.init(frame: .zero)
        setTitle(primaryAction.title, for: .normal)
        addAction(primaryAction, for: [.primaryActionTriggered, .touchUpInside])
    }

    /// A value for a state, else the one for `normal`.
    private func content<Value>(_ member: KeyPath<Content, Value?>, _ state: State) -> Value? {
        contents[state.rawValue]?[keyPath: member] ?? contents[0]?[keyPath: member]
    }

    /// Sets the title for a state.
    public func setTitle(_ title: String?, for state: State) {
        contents[state.rawValue, default: Content()].title = title
        setNeedsUpdateConfiguration()
    }

    /// The title for a state, else that for `normal`.
    public func title(for state: State) -> String? { content(\.title, state) }

    /// Sets the colour of the title for a state.
    public func setTitleColor(_ color: Color?, for state: State) {
        contents[state.rawValue, default: Content()].titleColor = color
        setNeedsUpdateConfiguration()
    }

    /// The colour of the title for a state, else that for `normal`.
    public func titleColor(for state: State) -> Color? { content(\.titleColor, state) }

    /// Sets the image for a state.
    public func setImage(_ image: Image?, for state: State) {
        contents[state.rawValue, default: Content()].image = image
        setNeedsUpdateConfiguration()
    }

    /// The image for a state, else that for `normal`.
    public func image(for state: State) -> Image? { content(\.image, state) }

    /// The title for the states that hold.
    public var currentTitle: String? { title(for: state) }
    /// The colour of the title for the states that hold.
    public var currentTitleColor: Color { titleColor(for: state) ?? tintColor }
    /// The image for the states that hold.
    public var currentImage: Image? { image(for: state) }
}

/// A line of text that a person enters (`UITextField`). Nothing is entered; the program sets the text.
@preconcurrency @MainActor
open class TextField: Control, ContentSizeCategoryAdjusting {
    /// The border of a text field (`UITextField.BorderStyle`).
    public typealias BorderStyle = TextFieldBorderStyle

    /// The text.
    @Kept open var text: String?
    /// The text while there is none.
    @Kept open var placeholder: String?
    /// The font. One that was made for a text style may follow the text size of the field's traits.
    @Kept open var font: Font? = Font.systemFont(ofSize: 17)
    /// The colour of the text.
    @Kept open var textColor: Color? = Color.label
    /// How the text is aligned.
    @Kept open var textAlignment = TextAlignment.natural
    /// The border.
    @Kept open var borderStyle = BorderStyle.none
    /// Whether the text is hidden.
    @Kept open var isSecureTextEntry = false
    /// Whether a font that was made for a text style follows the text size of the field's traits.
    @Kept open var adjustsFontForContentSizeCategory = false {
        didSet { adjustFont() }
    }
    /// Decides about editing.
    open weak var delegate: (any TextFieldDelegate)?

    private func adjustFont() {
        guard adjustsFontForContentSizeCategory, let current = font else { return }
        let isOwn = _font.isOwn
        font = current.adjusted(for: TraitCollection(node.shownTraits))
        _font.isOwn = isOwn
    }

    override func traitsChanged(_ change: ShownChange) {
        super.traitsChanged(change)
        if change.changed.intersects(Label.textSize) { adjustFont() }
    }
}

/// Decides about the editing of a text field (`UITextFieldDelegate`). Its methods are not called, as
/// nothing is edited.
@preconcurrency @MainActor
public protocol TextFieldDelegate: AnyObject {}
