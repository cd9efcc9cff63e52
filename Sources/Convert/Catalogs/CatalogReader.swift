// Asset catalogs of Xcode: the sets of colours, images and symbols in folders *.xcassets. A slot of a set becomes a
// variant; what Xcode calls an appearance, an idiom and a scale are conditions on traits.

import JSONCodec

/// Reads the files `Contents.json` of catalogs.
package struct CatalogReader {
    /// A file `Contents.json`.
    package struct Entry {
        /// As it is shown in messages.
        package let path: String
        /// The folders from the catalog to the file, without the catalog: `["Group", "Accent.colorset"]`.
        package let folders: [String]
        package let text: [UInt8]

        package init(path: String, folders: [String], text: [UInt8]) {
            self.path = path
            self.folders = folders
            self.text = text
        }
    }

    private var conversion: Conversion
    /// Folders that are part of the names below them, joined by slashes.
    private var namespaces: Set<String> = []

    /// Adds the colours and images of one catalog.
    ///
    /// - Parameter entries: groups before what lies in them.
    /// - Throws: the first error. A set of an unknown type, or a slot with an unknown condition, is skipped.
    package static func read(
        _ entries: [Entry], into conversion: inout Conversion
    ) throws(ConversionError) {
        var reader = CatalogReader(conversion: conversion)
        for entry in entries { try reader.read(entry) }
        conversion = reader.conversion
    }

    private mutating func read(_ entry: Entry) throws(ConversionError) {
        let folder = entry.folders.last ?? ""
        let type = folder.lastIndex(of: ".").map { String(folder[$0...]) } ?? ""
        let isSet = [".colorset", ".imageset", ".symbolset"].contains(type)
        let file = try SourceFile(entry.path, entry.text, allowsTrailingCommas: true)
        let root = SourceValue(file)
        if file.hasTrailingCommas, isSet {
            conversion.skip(root, "a comma before a closing bracket is read over, as Xcode does")
        }
        guard isSet else {
            if Self.isAsset(type) {
                conversion.skip(root, "'\(type.dropFirst())' is not converted")
            } else if root.member("properties")?.member("provides-namespace")?.json.bool == true {
                namespaces.insert(entry.folders.joined(separator: "/"))
            }
            return
        }
        let name = self.name(of: entry.folders, without: type)
        switch type {
        case ".colorset":
            let variants = try read(slots: "colors", of: root, Self.color)
            if variants.isEmpty {
                return conversion.skip(root, "the colour has no slot with a value")
            }
            let name = try conversion.name(.color, name, at: root)
            conversion.document.colors.append(.init(name: name, variants: variants))
        default:
            let slots: StaticString = type == ".imageset" ? "images" : "symbols"
            let variants = try read(slots: slots, of: root, Self.image)
            if variants.isEmpty {
                return conversion.skip(root, "the image has no slot with a file")
            }
            let name = try conversion.name(.image, name, at: root)
            conversion.document.images.append(.init(name: name, variants: variants))
        }
    }

    /// The name of a set: its folder's, after those of the groups that provide a namespace.
    private func name(of folders: [String], without type: String) -> String {
        var names: [String] = []
        for count in 1..<max(1, folders.count)
        where namespaces.contains(folders.prefix(count).joined(separator: "/")) {
            names.append(folders[count - 1])
        }
        names.append(String((folders.last ?? "").dropLast(type.count)))
        return names.joined(separator: "/")
    }

    /// Other types of assets that Xcode knows; a folder with another ending is a group.
    private static func isAsset(_ type: String) -> Bool {
        [
            ".appiconset", ".iconset", ".launchimage", ".brandassets", ".imagestack",
            ".imagestacklayer", ".dataset", ".complicationset", ".cubetextureset", ".textureset",
            ".mipmapset", ".arresourcegroup", ".arreferenceimage", ".arobject", ".gcdashboardimage",
            ".gcleaderboard", ".gcleaderboardset", ".spriteatlas", ".sticker", ".stickerpack",
            ".stickersequence", ".stickersiconset", ".sequence", ".solidimagestack",
            ".solidimagestacklayer",
        ].contains(type)
    }

    // MARK: - Slots

    /// The variants of the slots that have a value. Of two slots with the same conditions the last one counts.
    private mutating func read(
        slots: StaticString, of root: SourceValue,
        _ value: (SourceValue) throws(ConversionError) -> [UInt8]?
    ) throws(ConversionError) -> [ConvertedDocument.Variant] {
        var variants: [ConvertedDocument.Variant] = []
        for slot in try root.required(slots).elements() {
            guard let value = try value(try slot.object()) else { continue }
            let when: [(trait: String, value: ConvertedDocument.Condition)]
            switch try CatalogConditions.read(slot) {
            case .known(let conditions): when = conditions
            case .unknown(let place, let what):
                conversion.skip(place, "\(what); the slot is left out")
                continue
            }
            if let same = variants.firstIndex(where: { Self.isSame($0.when, when) }) {
                conversion.skip(slot, "an earlier slot has the same conditions and is left out")
                variants.remove(at: same)
            }
            variants.append(.init(when: when, value: value, source: .init(slot)))
        }
        return variants
    }

    private static func isSame(
        _ left: [(trait: String, value: ConvertedDocument.Condition)],
        _ right: [(trait: String, value: ConvertedDocument.Condition)]
    ) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { $0 == $1 }
    }

    /// The name of the file, as JSON; nil for a slot without one.
    private static func image(_ slot: SourceValue) throws(ConversionError) -> [UInt8]? {
        guard let file = try slot.string("filename"), !file.isEmpty else { return nil }
        return JSONWriter.text { $0.value(file) }
    }

    private static func color(_ slot: SourceValue) throws(ConversionError) -> [UInt8]? {
        try slot.member("color").map { color throws(ConversionError) in try CatalogColor.read(color)
        }
    }
}
