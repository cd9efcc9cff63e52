// What conversions make of texts, as JSON.

import Convert
import JSONCodec

enum Converted {
    /// The document of a catalog.
    ///
    /// - Parameter files: the text of `Contents.json` by its folder in the catalog: `Accent.colorset`.
    static func catalog(
        _ files: KeyValuePairs<String, String>, prefix: String = ""
    ) throws(ConversionError) -> (json: String, skipped: [String]) {
        var conversion = Conversion(prefix: prefix)
        let entries = files.map { folder, text in
            CatalogReader.Entry(
                path: folder.isEmpty ? "Contents.json" : "\(folder)/Contents.json",
                folders: folder.split(separator: "/").map(String.init), text: Array(text.utf8))
        }
        try CatalogReader.read(entries, into: &conversion)
        try conversion.finish()
        return (text(of: conversion), conversion.skipped)
    }

    /// The document of a set of colours with one slot.
    static func color(_ slot: String) throws(ConversionError) -> (json: String, skipped: [String]) {
        try catalog(["A.colorset": #"{"colors":[\#(slot)]}"#])
    }

    static func figma(_ texts: String...) throws(ConversionError) -> (
        json: String, skipped: [String]
    ) {
        var conversion = Conversion()
        var files: [SourceFile] = []
        for (place, text) in texts.enumerated() {
            files.append(
                try SourceFile(
                    "\(place).json", Array(text.utf8), depthMax: FigmaReader.depthMax))
        }
        try FigmaReader.read(files, into: &conversion)
        return (text(of: conversion), conversion.skipped)
    }

    /// The document of token files, or of a resolver document with the files to which it refers.
    static func tokens(
        _ text: String, _ others: [String: String] = [:]
    ) throws(ConversionError) -> (json: String, skipped: [String]) {
        var conversion = Conversion()
        try TokenReader.read([try SourceFile("t.json", Array(text.utf8))], into: &conversion) {
            path, _ throws(ConversionError) in
            guard let text = others[path] else { throw ConversionError("there is no \(path)") }
            return try SourceFile(path, Array(text.utf8))
        }
        return (self.text(of: conversion), conversion.skipped)
    }

    private static func text(of conversion: Conversion) -> String {
        var json = JSONWriter()
        conversion.document.write(name: "s", into: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// The text of an error; the converted document where there is none.
    static func error(
        _ body: () throws(ConversionError) -> (json: String, skipped: [String])
    ) -> String {
        do {
            return try body().json
        } catch {
            return error.description
        }
    }
}

extension String {
    /// The value of a member of the document, as its text stands there.
    func member(_ name: String) -> String? {
        let tape = JSONTape()
        var text = self
        return text.withUTF8 { bytes in
            try? tape.withDocument(UnsafeRawBufferPointer(bytes)) { json in
                json.members.first { $0.key.string == name }.map {
                    String(decoding: $0.value.rawBytes, as: UTF8.self)
                }
            }
        } ?? nil
    }
}
