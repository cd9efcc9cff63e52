// Appearance proxies, which set a property of all views of a class at once, also by traits. UIKit's
// proxies forward messages; here a proxy takes key paths.

/// A type that has appearance proxies (`UIAppearance`). All views conform.
@preconcurrency @MainActor
public protocol Appearance: AnyObject {}

/// A type that an appearance can name as a container of views (`UIAppearanceContainer`): views and
/// view controllers conform.
@preconcurrency @MainActor
public protocol AppearanceContainer: AnyObject {}

extension View: Appearance, AppearanceContainer {}
extension ViewController: AppearanceContainer {}

extension Appearance where Self: View {
    /// The proxy for all views of the class and its subclasses.
    ///
    ///     Badge.appearance().backgroundColor = .systemRed
    ///     Badge.appearance(for: UITraitCollection(userInterfaceStyle: .dark)).isProminent = true
    ///
    /// A value that is set applies to a view when the view comes into a window, as in UIKit. Views
    /// that are in a window already stay as they are. The most specific value wins: that for more
    /// containers, then that of a subclass over that of its superclass, then that for more traits.
    ///
    /// A property that the program set on the view itself is left alone. For a property that a
    /// subclass declares this goes by its value, as Swift has no messages to intercept: the property
    /// counts as set when its value differs from the one that the class gives new views. That value
    /// is read from the first view that is made after the proxy was used, before the view's own
    /// initializer goes on; not if another view that the class refers to is still nil by then.
    public static func appearance() -> AppearanceProxy<Self> {
        AppearanceProxy(for: TraitCollection(), in: [])
    }

    /// The proxy for views whose traits have the values that the collection specifies.
    public static func appearance(for trait: TraitCollection) -> AppearanceProxy<Self> {
        AppearanceProxy(for: trait, in: [])
    }

    /// The proxy for views in instances of the classes, the nearest first.
    public static func appearance(
        whenContainedInInstancesOf containerTypes: [any AppearanceContainer.Type]
    ) -> AppearanceProxy<Self> {
        AppearanceProxy(for: TraitCollection(), in: containerTypes)
    }

    /// The proxy for views with these traits in instances of these classes.
    public static func appearance(
        for trait: TraitCollection,
        whenContainedInInstancesOf containerTypes: [any AppearanceContainer.Type]
    ) -> AppearanceProxy<Self> {
        AppearanceProxy(for: trait, in: containerTypes)
    }
}

/// Properties for views of a class; see `Appearance.appearance()`.
@preconcurrency @MainActor
@dynamicMemberLookup
public struct AppearanceProxy<Target: View> {
    private let traits: TraitCollection
    private let containers: [any AppearanceContainer.Type]

    init(for traits: TraitCollection, in containers: [any AppearanceContainer.Type]) {
        self.traits = traits
        self.containers = containers
    }

    /// Sets a property, or returns the value that was set. Reading a property that was not set is a
    /// programmer's error and stops the program.
    public subscript<Value>(
        dynamicMember property: ReferenceWritableKeyPath<Target, Value>
    ) -> Value {
        get {
            guard let value = AppearanceRules.shared.value(of: property, key) as? Value else {
                misuse("\(Target.self).appearance() has no value of this property")
            }
            return value
        }
        nonmutating set {
            let equality = Equality<Value>()
            AppearanceRules.shared.set(
                AppearanceRules.Rule(
                    key: key, property: property, value: newValue,
                    read: { ($0 as? Target)?[keyPath: property] },
                    isEqual: { one, other in
                        guard let one = one as? Value, let other = other as? Value else {
                            return false
                        }
                        return equality(one, other) ?? true
                    },
                    apply: { ($0 as? Target)?[keyPath: property] = newValue }))
        }
    }

    private var key: AppearanceRules.Key {
        AppearanceRules.Key(target: Target.self, traits: traits, containers: containers)
    }
}

/// The values that the appearance proxies of the process were given.
@MainActor
final class AppearanceRules {
    static let shared = AppearanceRules()

    /// Which views a value applies to.
    struct Key {
        let target: View.Type
        let traits: TraitCollection
        let containers: [any AppearanceContainer.Type]

        func isSame(_ other: Key) -> Bool {
            target == other.target && traits == other.traits
                && containers.map { ObjectIdentifier($0) }
                    == other.containers.map { ObjectIdentifier($0) }
        }
    }

    /// A value for one property of views.
    struct Rule {
        let key: Key
        let property: AnyKeyPath
        let value: Any
        /// The property of a view of the class; nil for other views.
        let read: @MainActor (View) -> Any?
        /// Values that cannot be compared count as equal.
        let isEqual: (Any, Any) -> Bool
        let apply: @MainActor (View) -> Void
    }

    private var rules: [Rule] = []
    /// How often rules were set.
    private var changes = 0
    /// What the classes of views give new views, by property, and when that was read.
    private var initial: [ObjectIdentifier: (changes: Int, values: [AnyKeyPath: Any])] = [:]
    /// The view whose properties are being set or read; nil at other times.
    private(set) weak var target: View?

    func set(_ rule: Rule) {
        rules.removeAll { $0.property == rule.property && $0.key.isSame(rule.key) }
        rules.append(rule)
        changes += 1
    }

    func value(of property: AnyKeyPath, _ key: Key) -> Any? {
        rules.first { $0.property == property && $0.key.isSame(key) }?.value
    }

    var isEmpty: Bool { rules.isEmpty }

    /// Notes the values of a view that is being made, the first time since rules were set.
    func noteInitialValues(of view: View) {
        let type = ObjectIdentifier(Swift.type(of: view))
        var known = initial[type] ?? (changes: 0, values: [:])
        if known.changes == changes { return }
        known.changes = changes
        if !lacksViews(view) {
            aim(at: view) {
                for rule in rules where known.values[rule.property] == nil {
                    known.values[rule.property] = rule.read(view)
                }
            }
        }
        initial[type] = known
    }

    /// Whether a stored reference of a view to another view or controller is nil, so that reading
    /// computed properties may stop the program.
    private func lacksViews(_ view: View) -> Bool {
        var mirror: Mirror? = Mirror(reflecting: view)
        while let current = mirror, current.subjectType != View.self {
            let lacks = current.children.contains { child in
                child.label?.hasPrefix("$__lazy_storage_$_") != true
                    && (child.value as? any OptionalResponder)?.isMissing == true
            }
            if lacks { return true }
            mirror = current.superclassMirror
        }
        return false
    }

    /// Sets the matching properties of a view that has come into a window, the most specific value
    /// last, but for those that the program has set. O(n log n) for n rules.
    func apply(to view: View) {
        aim(at: view) {
            let matching = rules.enumerated().compactMap { position, rule in
                rank(rule.key, view).map { (rank: $0 + [position], rule: rule) }
            }
            let admitted = matching.filter { !isOwn($0.rule, of: view) }
                .sorted { $0.rank.lexicographicallyPrecedes($1.rank) }.map(\.rule)
            for rule in admitted { rule.apply(view) }
            for rule in admitted { view.appliedAppearance[rule.property] = rule.read(view) }
        }
    }

    private func aim(at view: View, _ body: () -> Void) {
        let outer = target
        target = view
        body()
        target = outer
    }

    /// Whether a property has another value than the class or a proxy gave it.
    private func isOwn(_ rule: Rule, of view: View) -> Bool {
        let type = ObjectIdentifier(Swift.type(of: view))
        let known = view.appliedAppearance[rule.property] ?? initial[type]?.values[rule.property]
        guard let known, let current = rule.read(view) else { return false }
        return !rule.isEqual(known, current)
    }

    /// How specific a key is for a view: the more containers, then the nearer its class, then the
    /// more traits. Nil when it does not match.
    private func rank(_ key: Key, _ view: View) -> [Int]? {
        guard let distance = distance(of: view, from: key.target),
            TraitCollection(view.node.shownTraits).specifies(key.traits),
            isContained(view, in: key.containers)
        else { return nil }
        return [key.containers.count, -distance, key.traits.changedTraits(from: nil).count]
    }

    /// How many steps the class is above the view's own class; nil when the view is no instance of
    /// it.
    private func distance(of view: View, from target: View.Type) -> Int? {
        var steps = 0
        var mirror: Mirror? = Mirror(reflecting: view)
        while let current = mirror {
            if current.subjectType == target { return steps }
            steps += 1
            mirror = current.superclassMirror
        }
        return nil
    }

    /// Whether the view's ancestors include the containers, in their order; others may stand
    /// between.
    private func isContained(_ view: View, in containers: [any AppearanceContainer.Type]) -> Bool {
        var remaining = containers[...]
        var ancestor: View? = view
        while let current = ancestor, let wanted = remaining.first {
            let isView = current !== view && isInstance(current, of: wanted)
            if isView || current.controller.map({ isInstance($0, of: wanted) }) == true {
                remaining = remaining.dropFirst()
            }
            ancestor = current.superview
        }
        return remaining.isEmpty
    }

    private func isInstance(_ object: Any, of type: any AppearanceContainer.Type) -> Bool {
        func check<Container>(_ type: Container.Type) -> Bool { object is Container }
        return check(type)
    }
}

extension TraitCollection {
    /// Whether this collection has every value that the other one specifies, custom traits
    /// included.
    fileprivate func specifies(_ other: TraitCollection) -> Bool {
        comparable == overlaid(with: other).comparable
    }
}

/// An optional reference to an environment.
private protocol OptionalResponder {
    var isMissing: Bool { get }
}

extension Optional: OptionalResponder where Wrapped: Responder {
    fileprivate var isMissing: Bool { self == nil }
}
