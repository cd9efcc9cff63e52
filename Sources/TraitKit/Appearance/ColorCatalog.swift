// Colours by name, as an asset catalogue has them.

public import Foundation
internal import Synchronization
internal import TraitEngine

/// Named colours with variants for traits, in place of an app's asset catalogue. The program fills
/// the catalogue, on any thread.
public final class ColorCatalog: Sendable {
    /// Where `Color(named:)` looks.
    public static let main = ColorCatalog()

    /// One colour of a set.
    public struct Variant: Sendable {
        /// The values that the traits must have. Traits that the collection leaves out do not
        /// matter.
        public let traits: TraitCollection
        /// The colour for those traits; may be dynamic itself.
        public let color: Color

        /// A colour for traits that have the values of the collection; without a collection, for
        /// all.
        public init(_ color: Color, when traits: TraitCollection = TraitCollection()) {
            self.traits = traits
            self.color = color
        }
    }

    private struct ColorSet: Sendable {
        let variants: [Variant]
        let choices: DynamicValue
    }

    private let sets = Mutex<[String: ColorSet]>([:])

    /// An empty catalogue.
    public init() {}

    /// Adds a colour that is the same for all traits. Replaces a colour of the same name.
    public func add(_ name: String, _ color: Color) {
        add(name, variants: [Variant(color)])
    }

    /// Adds a colour. Replaces a colour of the same name.
    ///
    /// - Parameters:
    ///   - name: the name for `Color(named:)`.
    ///   - variants: at least one. Of the variants that match the traits, the one that names the
    ///     most traits is chosen, and the first of several such. Without a match the first variant
    ///     is chosen.
    public func add(_ name: String, variants: [Variant]) {
        let set = ColorSet(
            variants: variants,
            choices: DynamicValue.checked(.color, name, variants.map(\.traits)))
        sets.withLock { $0[name] = set }
    }

    /// Nil when there is no colour of that name.
    func color(_ name: String, _ traits: TraitCollection) -> Color? {
        guard let set = sets.withLock({ $0[name] }) else { return nil }
        let choice = set.choices.resolve(traits.comparable)
        traits.reads?.insert(choice.dependsOn)
        return set.variants[choice.index].color
    }

    func contains(_ name: String) -> Bool { sets.withLock { $0[name] != nil } }
}

extension Color {
    /// A colour of the catalogue, which depends on traits if it has variants. Nil when the
    /// catalogue has no colour of that name.
    public convenience init?(named name: String, in catalog: ColorCatalog = .main) {
        guard catalog.contains(name) else { return nil }
        self.init { catalog.color(name, $0) ?? .clear }
    }

    /// The colour of the main catalogue; for given traits the variant that matches them. Nil when
    /// the catalogue has no colour of that name.
    ///
    /// - Parameters:
    ///   - name: the name in the catalogue.
    ///   - bundle: ignored: the program fills the catalogue, and bundles have none.
    ///   - traitCollection: the traits to choose a variant for; nil for a colour that follows the
    ///     traits it is resolved with.
    public convenience init?(
        named name: String, in bundle: Bundle?, compatibleWith traitCollection: TraitCollection?
    ) {
        guard let color = Color(named: name) else { return nil }
        self.init(traitCollection.map(color.resolvedColor) ?? color)
    }
}

extension DynamicValue {
    /// A choice among variants by their traits. The value of a variant is its position, as text.
    static func checked(
        _ kind: DynamicKind, _ name: String, _ traits: [TraitCollection]
    ) -> DynamicValue {
        do throws(OperationError) {
            return try DynamicValue(
                kind: kind, name: name,
                variants: traits.enumerated().map { position, traits in
                    DynamicVariant(when: traits.comparable, value: "\(position)")
                })
        } catch {
            misuse("\(name): \(TraitError(error))")
        }
    }
}
