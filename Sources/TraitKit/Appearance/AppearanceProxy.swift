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
    /// that are in a window already stay as they are. The most specific value wins: that of a
    /// subclass over that of its superclass, then that for more containers, then that for more
    /// traits. UIKit leaves alone a property that was set on the view itself; here the proxy's
    /// value replaces it. Set such a property after the view has come into its window.
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
            AppearanceRules.shared.set(property, key, value: newValue) { view in
                if let view = view as? Target { view[keyPath: property] = newValue }
            }
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

    private struct Rule {
        let key: Key
        let property: AnyKeyPath
        let value: Any
        let apply: @MainActor (View) -> Void
    }

    private var rules: [Rule] = []

    func set(
        _ property: AnyKeyPath, _ key: Key, value: Any, apply: @escaping @MainActor (View) -> Void
    ) {
        rules.removeAll { $0.property == property && $0.key.isSame(key) }
        rules.append(Rule(key: key, property: property, value: value, apply: apply))
    }

    func value(of property: AnyKeyPath, _ key: Key) -> Any? {
        rules.first { $0.property == property && $0.key.isSame(key) }?.value
    }

    var isEmpty: Bool { rules.isEmpty }

    /// Sets the matching properties of a view that has come into a window, the most specific value
    /// last. O(n log n) for n rules.
    func apply(to view: View) {
        let matching = rules.enumerated().compactMap { position, rule in
            rank(rule.key, view).map { (rank: $0 + [position], rule: rule) }
        }
        for (_, rule) in matching.sorted(by: { $0.rank.lexicographicallyPrecedes($1.rank) }) {
            rule.apply(view)
        }
    }

    /// How specific a key is for a view: the nearer its class, then the more containers, then the
    /// more traits. Nil when it does not match.
    private func rank(_ key: Key, _ view: View) -> [Int]? {
        guard let distance = distance(of: view, from: key.target),
            TraitCollection(view.node.shownTraits).specifies(key.traits),
            isContained(view, in: key.containers)
        else { return nil }
        return [-distance, key.containers.count, key.traits.changedTraits(from: nil).count]
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
