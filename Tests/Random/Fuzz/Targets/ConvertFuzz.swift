// The readers of design files: any text is converted or refused, and what is converted is JSON.

import Convert
import JSONCodec

enum ConvertFuzz {
    /// The first byte chooses the reader; a text without a file name has the others' files in it, after NUL bytes.
    static func run(_ input: UnsafeRawBufferPointer) throws(FuzzFailure) {
        var source = ByteSource(input)
        let kind = source.byte() % 3
        let texts = source.rest.split(separator: 0, omittingEmptySubsequences: false).map {
            Array($0)
        }
        var conversion = Conversion(prefix: "p.")
        do throws(ConversionError) {
            try convert(kind, texts, &conversion)
        } catch {
            // Every refusal has a text.
            if error.description.isEmpty { throw FuzzFailure("a refusal without a reason") }
            return
        }
        var json = JSONWriter()
        conversion.document.write(name: "s", into: &json)
        var sources = JSONWriter()
        conversion.document.writeSources(into: &sources)
        let tape = JSONTape(hashSeed: 7)
        for text in [json.array(), sources.array()] {
            do {
                _ = try text.withUnsafeBytes { try tape.withDocument($0) { $0.count } }
            } catch {
                throw FuzzFailure("a conversion that is no JSON: \(error)")
            }
        }
    }

    private static func convert(
        _ kind: UInt8, _ texts: [[UInt8]], _ conversion: inout Conversion
    ) throws(ConversionError) {
        func file(_ place: Int, depthMax: Int = 64) throws(ConversionError) -> SourceFile {
            try SourceFile("\(place)", texts[place], depthMax: depthMax)
        }
        switch kind {
        case 0:
            let types = ["A.colorset", "B.imageset", "C.symbolset", "Group", "E.appiconset"]
            var entries: [CatalogReader.Entry] = []
            for (place, text) in texts.enumerated() {
                let folder = types[place % types.count]
                entries.append(.init(path: folder, folders: ["Group", folder], text: text))
            }
            try CatalogReader.read(entries, into: &conversion)
            try conversion.finish()
        case 1:
            var files: [SourceFile] = []
            for place in texts.indices { files.append(try file(place, depthMax: 200)) }
            try FigmaReader.read(files, into: &conversion)
        default:
            try TokenReader.read([try file(0)], into: &conversion) {
                path, _ throws(ConversionError) in
                guard let place = Int(path), texts.indices.contains(place) else {
                    throw ConversionError("no \(path)")
                }
                return try file(place)
            }
        }
    }
}
