// Setting properties of all views of a class at once, also by traits: what UIKit's appearance proxies
// do by forwarding messages is done by key paths here.

/// What an appearance proxy can be asked of (`UIAppearance`). All views conform.
@MainActor
public protocol Appearance: AnyObject {}

/// What can contain views for an appearance (`UIAppearanceContainer`): views and view controllers.
@MainActor
public protocol AppearanceContainer: AnyObject {}

extension View: Appearance, AppearanceContainer {}
extension ViewController: AppearanceContainer {}

extension Appearance where Self: View {
    /// The proxy for all views of the class and its subclasses.
    ///
    ///     Badge.appearance().backgroundColor = .systemRed
    ///     Badge.appearance(for: UITraitCollection(userInterfaceStyle: .dark)).isProminent = true
    ///
    /// What is set applies to a view when it comes into a window, as in UIKit; views that are in one
    /// already stay as they are. A proxy of a class comes before those of its subclasses, and what was
    /// set for fewer traits and containers before what was set for more, so that the more specific wins.
    /// UIKit leaves alone what was set on the view itself; here that is set after the view has come into
    /// its window.
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

    /// The proxy for both.
    public static func appearance(
        for trait: TraitCollection,
        whenContainedInInstancesOf containerTypes: [any AppearanceContainer.Type]
    ) -> AppearanceProxy<Self> {
        AppearanceProxy(for: trait, in: containerTypes)
    }
}

/// Properties for views of a class; see `Appearance.appearance()`.
@MainActor
@dynamicMemberLookup
public struct AppearanceProxy<Target: View> {
    private let traits: TraitCollection
    private let containers: [any AppearanceContainer.Type]

    init(for traits: TraitCollection, in containers: [any AppearanceContainer.Type]) {
        self.traits = traits
        self.containers = containers
    }

    /// Sets a property, or answers what was set. Reading one that was not set is the programmer's error
    /// and stops the program.
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

/// All that was set for appearances.
@MainActor
final class AppearanceRules {
    static let shared = AppearanceRules()

    /// For which views something was set.
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

    /// Sets what matches a view that has come into a window, the most specific last. O(rules).
    func apply(to view: View) {
        let matching = rules.enumerated().compactMap { position, rule in
            rank(rule.key, view).map { (rank: $0 + [position], rule: rule) }
        }
        for (_, rule) in matching.sorted(by: { $0.rank.lexicographicallyPrecedes($1.rank) }) {
            rule.apply(view)
        }
    }

    /// How specific a key is for a view: the nearer its class, then the more containers, then the more
    /// traits. Nil when it does not match.
    private func rank(_ key: Key, _ view: View) -> [Int]? {
        guard let distance = distance(of: view, from: key.target),
            TraitCollection(view.node.shownTraits).specifies(key.traits),
            isContained(view, in: key.containers)
        else { return nil }
        return [-distance, key.containers.count, key.traits.changedTraits(from: nil).count]
    }

    /// How many superclasses up from the view's class a class is; nil when it is none of them.
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

    /// Whether the containers are found upwards, in their order, with others between them.
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
    /// Whether all that the other collection specifies is so here, custom traits included.
    fileprivate func specifies(_ other: TraitCollection) -> Bool {
        comparable == overlaid(with: other).comparable
    }
}
