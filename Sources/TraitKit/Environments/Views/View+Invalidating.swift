// Properties that ask for an update when they change: the property wrapper `Invalidating`.

/// A part of a view that a change makes invalid (`UIViewInvalidating`).
@preconcurrency @MainActor
public protocol ViewInvalidating {
    /// Asks the view for the update that the change needs.
    func invalidate(view: View)
}

extension View {
    /// The parts of a view that a change can make invalid (`UIView.Invalidations`).
    public enum Invalidations {
        /// A change that needs a layout.
        public struct Layout: ViewInvalidating {
            /// Asks for `layoutSubviews()`.
            public func invalidate(view: View) { view.setNeedsLayout() }
        }

        /// A change that needs drawing.
        public struct Display: ViewInvalidating {
            /// Asks for `draw(_:)`.
            public func invalidate(view: View) { view.setNeedsDisplay() }
        }

        /// A change that needs other constraints.
        public struct Constraints: ViewInvalidating {
            /// Asks for `updateConstraints()`.
            public func invalidate(view: View) { view.setNeedsUpdateConstraints() }
        }

        /// A change that needs other properties.
        public struct Properties: ViewInvalidating {
            /// Asks for `updateProperties()`.
            public func invalidate(view: View) { view.setNeedsUpdateProperties() }
        }

        /// A change that needs another configuration.
        public struct Configuration: ViewInvalidating {
            /// Asks a button, a cell, a header or a footer for `updateConfiguration`.
            public func invalidate(view: View) { view.invalidate(.updateConfiguration) }
        }

        /// A change of the content's size.
        public struct IntrinsicContentSize: ViewInvalidating {
            /// Asks for a layout of the superview.
            public func invalidate(view: View) { view.invalidateIntrinsicContentSize() }
        }
    }

    /// A property of a view whose change asks for updates of the view (`UIView.Invalidating`).
    ///
    ///     @Invalidating(.layout, .display) var spacing = 8.0
    ///
    /// Setting an equal value asks for nothing.
    @propertyWrapper
    @preconcurrency @MainActor
    public struct Invalidating<Value: Equatable> {
        private var value: Value
        private let invalidations: [any ViewInvalidating]

        /// A property whose change asks for one update.
        public init(wrappedValue: Value, _ invalidation: some ViewInvalidating) {
            value = wrappedValue
            invalidations = [invalidation]
        }

        /// A property whose change asks for two updates.
        public init(
            wrappedValue: Value, _ first: some ViewInvalidating, _ second: some ViewInvalidating
        ) {
            value = wrappedValue
            invalidations = [first, second]
        }

        /// A property whose change asks for three updates.
        public init(
            wrappedValue: Value, _ first: some ViewInvalidating, _ second: some ViewInvalidating,
            _ third: some ViewInvalidating
        ) {
            value = wrappedValue
            invalidations = [first, second, third]
        }

        /// Not for use: the compiler reads and writes the property through the view.
        @available(*, unavailable, message: "Invalidating is for properties of views")
        public var wrappedValue: Value {
            get { value }
            set { value = newValue }
        }

        /// The property's value. Setting another value asks the view for the updates.
        public static subscript<Enclosing: View>(
            _enclosingInstance view: Enclosing,
            wrapped property: ReferenceWritableKeyPath<Enclosing, Value>,
            storage storage: ReferenceWritableKeyPath<Enclosing, Self>
        ) -> Value {
            get { view[keyPath: storage].value }
            set {
                guard view[keyPath: storage].value != newValue else { return }
                view[keyPath: storage].value = newValue
                for invalidation in view[keyPath: storage].invalidations {
                    invalidation.invalidate(view: view)
                }
            }
        }
    }
}

extension ViewInvalidating where Self == View.Invalidations.Layout {
    /// A change that needs a layout.
    public static var layout: Self { Self() }
}

extension ViewInvalidating where Self == View.Invalidations.Display {
    /// A change that needs drawing.
    public static var display: Self { Self() }
}

extension ViewInvalidating where Self == View.Invalidations.Constraints {
    /// A change that needs other constraints.
    public static var constraints: Self { Self() }
}

extension ViewInvalidating where Self == View.Invalidations.Properties {
    /// A change that needs other properties.
    public static var properties: Self { Self() }
}

extension ViewInvalidating where Self == View.Invalidations.Configuration {
    /// A change that needs another configuration.
    public static var configuration: Self { Self() }
}

extension ViewInvalidating where Self == View.Invalidations.IntrinsicContentSize {
    /// A change of the content's size.
    public static var intrinsicContentSize: Self { Self() }
}
