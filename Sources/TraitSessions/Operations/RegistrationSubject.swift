// The subject of a registration: traits, and colours and images whose values depend on traits.

import JSONCodec
import TraitEngine
import TraitJSON

package struct RegistrationSubject {
    let traits: TraitSet
    let colors: [String]
    let images: [String]
    /// Nil when no set is named.
    let asked: AskedTraits?

    /// Whether a registration that exists is for this. A named set was expanded when it was made,
    /// so the same names mean the same whatever was defined since. The order of names does not
    /// matter.
    package func isSame(as info: RegistrationInfo, _ note: RegistrationNote?) -> Bool {
        let isSameTraits = info.traits == traits || asked != nil && asked == note?.asked
        return isSameTraits && Set(info.colors) == Set(colors)
            && Set(info.images) == Set(images)
    }

    static func members(beside others: [StaticString]) -> [StaticString] {
        others + ["traits", "set", "colors", "images"]
    }

    /// - Parameter asked: the named sets that the registration was made with.
    package init(_ info: RegistrationInfo, asked: AskedTraits? = nil) {
        traits = info.traits
        colors = info.colors
        images = info.images
        self.asked = asked
    }

    /// `"traits"`, and `"colors"` and `"images"` when there are some, of the open object.
    ///
    /// - Parameter asAsked: sets by their names, as a log has them: a replay expands them again, by
    ///   the definitions of the same revision.
    package func write(
        of definitions: TraitDefinitions, asAsked: Bool = false, into writer: inout JSONWriter
    ) {
        writer.beginArray("traits")
        let asked = asAsked ? asked : nil
        for set in TraitSetName.allCases where asked?.sets.contains(set) ?? false {
            writer.value(set.rawValue)
        }
        for trait in definitions.inCatalogueOrder(asked?.others ?? traits) {
            writer.value(definitions[trait].key)
        }
        writer.endArray()
        if !colors.isEmpty { writer.member("colors", colors) }
        if !images.isEmpty { writer.member("images", images) }
    }
}
