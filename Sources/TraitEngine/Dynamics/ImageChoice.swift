// Which of an asset's images fits best. UIKit documents what is registered and that the best match
// is taken, but not how matches are compared.

/// Traits decide in a fixed order: of the variants that are still in question, the ones
/// stay that fit a trait best. A variant fits exactly, or leaves the trait open, or is for another
/// value; a variant for another idiom or size class is out of the question altogether. At last the
/// scale decides: the exact one, else the smallest larger one, else the largest. Of equals the one
/// registered first is taken, as is the very first when all are out of the question.
enum ImageChoice {
    private static let order: [TraitIndex] = [
        "userInterfaceIdiom", "userInterfaceStyle", "accessibilityContrast", "displayGamut",
        "layoutDirection", "horizontalSizeClass", "verticalSizeClass",
        "preferredContentSizeCategory", "legibilityWeight",
    ].compactMap { TraitDefinitions.system.index(of: $0) }

    private static let excluding = TraitSet(
        ["userInterfaceIdiom", "horizontalSizeClass", "verticalSizeClass"].compactMap {
            TraitDefinitions.system.index(of: $0)
        })

    private static let scale = TraitDefinitions.system.index(of: "displayScale") ?? order[0]

    /// The traits that a lookup takes from the device unless it specifies them: idiom and scale.
    static let fromDevice = TraitSet([order[0], scale])

    static func register(
        _ variants: [DynamicVariant]
    ) throws(OperationError) -> [DynamicVariant] {
        var registered: [DynamicVariant] = []
        var positions: [TraitCollection: Int] = [:]
        for variant in variants {
            var when = variant.when
            // Where there are none of UIKit's traits, no variant can have a scale.
            if !when.traits.contains(scale), when.definitions.hasSystemTraits {
                when = try when.replacing(scale, with: .double(1))
            }
            let complete = variant.replacing(when: when)
            if let position = positions[when] {
                registered[position] = complete
            } else {
                positions[when] = registered.count
                registered.append(complete)
            }
        }
        return registered
    }

    /// The traits of the list that some variant specifies; the scale when there are several.
    static func dependencies(_ variants: [DynamicVariant]) -> TraitSet {
        var all = TraitSet()
        var scales = Set<TraitValue>()
        for variant in variants {
            all.formUnion(variant.when.traits)
            scales.insert(variant.when[scale])
        }
        all.formIntersection(TraitSet(order))
        if scales.count > 1 { all.insert(scale) }
        return all
    }

    static func choose(
        _ variants: [DynamicVariant], _ value: (TraitIndex) -> TraitValue
    ) -> Int {
        var left = variants.indices.filter { index in
            excluding.allSatisfy { fit(variants[index].when, $0, value($0)) > 0 }
        }
        for trait in order where left.count > 1 {
            let wanted = value(trait)
            let fits = left.map { fit(variants[$0].when, trait, wanted) }
            let best = fits.max() ?? 0
            left = zip(left, fits).filter { $0.1 == best }.map(\.0)
        }
        if left.count < 2 { return left.first ?? 0 }
        return bestScale(left, variants, number(value(scale)))
    }

    /// 2: for this value; 1: for any; 0: for another.
    private static func fit(
        _ when: TraitCollection, _ trait: TraitIndex, _ value: TraitValue
    ) -> Int {
        if !when.traits.contains(trait) { return 1 }
        return when[trait] == value ? 2 : 0
    }

    private static func bestScale(
        _ indices: [Int], _ variants: [DynamicVariant], _ wanted: Double
    ) -> Int {
        var best = indices[0]
        for index in indices.dropFirst() {
            let scale = number(variants[index].when[scale])
            if isBetter(scale, than: number(variants[best].when[Self.scale]), wanted) {
                best = index
            }
        }
        return best
    }

    private static func isBetter(_ scale: Double, than other: Double, _ wanted: Double) -> Bool {
        switch (scale >= wanted, other >= wanted) {
        case (true, true): scale < other
        case (true, false): true
        case (false, true): false
        case (false, false): scale > other
        }
    }

    private static func number(_ value: TraitValue) -> Double {
        if case .double(let number) = value { number } else { 0 }
    }
}
