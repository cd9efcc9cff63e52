// What a conversion makes: definitions, nodes, colours and images, and the document of a session with them.

import JSONCodec

/// A session's document under construction.
package struct ConvertedDocument {
    /// An enumeration: a collection of Figma, or a modifier of a resolver.
    package struct Trait {
        package let key: String
        /// The name in the source, where it differs from the key.
        package let label: String?
        /// In the order of the source. The first one has the raw value 0.
        package var cases: [String]
        package let defaultCase: String
    }

    package struct Node {
        package let id: String
        package let parent: String?
        package let label: String
        package let overrides: [(trait: String, value: String)]
    }

    /// A dynamic colour or image.
    package struct Resource {
        package let name: String
        package let variants: [Variant]
    }

    package struct Variant {
        /// Traits with their values, in the order in which they are written.
        package let when: [(trait: String, value: Condition)]
        /// JSON.
        package let value: [UInt8]
        package let source: Source
    }

    package enum Condition: Equatable, Sendable {
        case name(String)
        case number(Int)
    }

    /// Where a value stands in the files.
    package struct Source {
        package let path: String
        package let pointer: String

        init(_ value: SourceValue) {
            path = value.file.path
            pointer = value.pointer
        }
    }

    package var traits: [Trait] = []
    package var nodes: [Node] = []
    package var colors: [Resource] = []
    package var images: [Resource] = []

    /// The most colours and the most images of a session (`dynamicsMax`).
    static let resourcesMax = 10_000
    /// The most variants of a colour or an image (`variantsMax`).
    static let variantsMax = 1_000
    /// The longest label of a node (`labelBytesMax`).
    static let labelBytesMax = 1_024

    /// - Throws: when a session cannot hold as many colours or images.
    func check() throws(ConversionError) {
        for (what, resources) in [("colours", colors), ("images", images)]
        where resources.count > Self.resourcesMax {
            throw ConversionError(
                """
                There are \(resources.count) \(what), and a session has at most \(Self.resourcesMax). Convert fewer files \
                at a time, each with a --prefix or into a session of its own.
                """)
        }
    }

    /// `2 traits, 5 nodes, 12 colours, 3 images`.
    package var counts: String {
        let parts = [
            (traits.count, "trait"), (nodes.count, "node"), (colors.count, "colour"),
            (images.count, "image"),
        ]
        let shown = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        return shown.isEmpty ? "nothing" : shown.joined(separator: ", ")
    }

    // MARK: - Writing

    /// The document. Definitions stand before nodes, so that an import reads it in pieces.
    package func write(name: String, into json: inout JSONWriter) {
        json.beginObject()
        json.member("format", 1)
        json.member("name", name)
        json.beginObject("traits")
        for trait in traits { trait.write(into: &json) }
        json.endObject()
        Self.write("colors", colors, into: &json)
        Self.write("images", images, into: &json)
        json.beginArray("nodes")
        for node in nodes { node.write(into: &json) }
        json.endArray()
        json.endObject()
        json.newline()
    }

    private static func write(
        _ member: StaticString, _ resources: [Resource], into json: inout JSONWriter
    ) {
        json.beginObject(member)
        for resource in resources {
            json.key(resource.name)
            json.beginObject()
            json.beginArray("variants")
            for variant in resource.variants { variant.write(into: &json) }
            json.endArray()
            json.endObject()
        }
        json.endObject()
    }

    /// `{"colors": {name: [{"file","pointer"}, …]}, "images": …}`: one place for each variant.
    package func writeSources(into json: inout JSONWriter) {
        json.beginObject()
        for (member, resources) in [("colors", colors), ("images", images)] {
            json.key(member)
            json.beginObject()
            for resource in resources {
                json.key(resource.name)
                json.beginArray()
                for variant in resource.variants {
                    json.beginObject()
                    json.member("file", variant.source.path)
                    json.member("pointer", variant.source.pointer)
                    json.endObject()
                }
                json.endArray()
            }
            json.endObject()
        }
        json.endObject()
        json.newline()
    }
}

extension ConvertedDocument.Trait {
    fileprivate func write(into json: inout JSONWriter) {
        json.key(key)
        json.beginObject()
        json.member("type", "enum" as StaticString)
        json.member("name", ifPresent: label)
        json.beginObject("cases")
        for (raw, name) in cases.enumerated() {
            json.key(name)
            json.value(raw)
        }
        json.endObject()
        json.member("default", defaultCase)
        json.endObject()
    }
}

extension ConvertedDocument.Node {
    fileprivate func write(into json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("kind", "environment" as StaticString)
        json.member("parent", ifPresent: parent)
        json.member("label", label)
        if !overrides.isEmpty {
            json.beginObject("overrides")
            for (trait, value) in overrides {
                json.key(trait)
                json.value(value)
            }
            json.endObject()
        }
        json.endObject()
    }
}

extension ConvertedDocument.Variant {
    fileprivate func write(into json: inout JSONWriter) {
        json.beginObject()
        if !when.isEmpty {
            json.beginObject("when")
            for (trait, value) in when {
                json.key(trait)
                switch value {
                case .name(let name): json.value(name)
                case .number(let number): json.value(number)
                }
            }
            json.endObject()
        }
        json.key("value")
        json.raw(value)
        json.endObject()
    }
}
