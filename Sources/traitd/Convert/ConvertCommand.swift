// `traitd convert`: makes a session document of asset catalogs, files of Figma, or design tokens.

import ArgumentParser
import Convert
import Glibc
import JSONCodec
import TraitJSON
import TraitService

struct ConvertCommand: ParsableCommand {
    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case xcassets, figma, tokens
    }

    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Make a session document of asset catalogs, a Figma file, or design tokens.",
        discussion: """
            KIND is xcassets for folders with asset catalogs of Xcode, figma for the JSON of a Figma file and of its \
            variables, and tokens for a DTCG 2025.10 resolver document or token files. Colours and images become \
            colours and images of the session; collections of Figma and modifiers become traits. The document is \
            for `traitd serve --load`, `render` and `apply`, and for PUT …/import.

            What is left out has a line on standard error, FILE:LINE:COLUMN pointer: what, and the last line counts.

            Exit status: 0; 1 with --strict when something is left out, and then nothing is written; 64 for wrong \
            arguments; 65 when a file is wrong, with its place; 66 when a file cannot be read; 73 when the \
            document cannot be written.
            """)

    @Argument(help: ArgumentHelp("xcassets, figma or tokens.", valueName: "kind"))
    var kind: Kind

    @Argument(
        help: ArgumentHelp(
            "The files; for xcassets folders. - is standard input.", valueName: "file"),
        completion: .file())
    var files: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write the document here instead of to standard output.", valueName: "path"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The name of the session; without it that of the first file.", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Stands before each name of a trait, node, colour and image: --prefix ios.",
            valueName: "text"))
    var prefix = ""

    @Option(
        help: ArgumentHelp(
            "Write where each value comes from, file and pointer, as JSON.", valueName: "path"),
        completion: .file())
    var sources: String?

    @Flag(help: "Exit with 1, and write nothing, when something is left out.")
    var strict = false

    @OptionGroup var progress: ProgressOptions

    func validate() throws {
        if files.isEmpty { throw ValidationError("Name at least one file.") }
        for (option, text) in [("--name", name ?? "a"), ("--prefix", prefix)]
        where Conversion.identifier(text) != text || text.isEmpty && option == "--name" {
            throw ValidationError("\(option) takes letters, digits and . _ ~ -")
        }
    }

    func run() throws {
        var conversion = Conversion(prefix: prefix)
        do {
            switch kind {
            case .xcassets:
                for folder in files {
                    try CatalogReader.read(CatalogFolder.entries(folder), into: &conversion)
                }
                try conversion.finish()
            case .figma:
                let files = try files.map { try source($0, depthMax: FigmaReader.depthMax) }
                try FigmaReader.read(files, into: &conversion)
            case .tokens:
                try TokenReader.read(try files.map { try source($0) }, into: &conversion) {
                    path, base throws(ConversionError) in
                    try Self.file(path, from: base)
                }
            }
        } catch let error as ConversionError {
            throw Fault(error.description, label: "")
        }
        for line in conversion.skipped { say(line) }
        let left = conversion.skipped.count
        if strict, left > 0 {
            say(
                "nothing is written: --strict, and \(left) \(left == 1 ? "line says" : "lines say") what would be left out"
            )
            throw ExitCode(1)
        }
        try write(conversion.document)
        say(
            "\(conversion.document.counts)\(left == 0 ? "" : "; \(left) left out or changed, see above")"
        )
    }

    private func write(_ document: ConvertedDocument) throws {
        var texts: [(path: String?, text: [UInt8])] = []
        var json = JSONWriter(capacity: 1 << 20)
        document.write(name: name ?? prefix + Self.name(of: files[0]), into: &json)
        texts.append((output, json.array()))
        try Self.check(texts[0].text)
        if let sources {
            json.reset()
            document.writeSources(into: &json)
            texts.append((sources, json.array()))
        }
        for (path, text) in texts {
            let file = try OutputFile(path)
            text.withUnsafeBytes(file.write)
            try file.finish()
            try file.publish()
        }
    }

    /// Reads the document as an import does: names that are UIKit's, and limits of a session, are known there.
    private static func check(_ document: [UInt8]) throws {
        do throws(SessionError) {
            _ = try DocumentFile.session(of: document)
        } catch {
            var fault = FaultText(Problem(error))
            fault.line = nil
            throw Fault(
                """
                \(fault.line(of: "no session takes the document, so nothing is written")). Change it in the file, or give \
                all names a --prefix.
                """, label: "")
        }
    }

    private func source(_ path: String, depthMax: Int = 64) throws -> SourceFile {
        try SourceFile(
            InputFile.name(path), try InputFile.text(path, progress), depthMax: depthMax)
    }

    /// The file that another one refers to.
    private static func file(_ path: String, from base: String) throws(ConversionError)
        -> SourceFile
    {
        let folder = Offline.folder(of: base)
        let whole = path.hasPrefix("/") || folder == "." ? path : "\(folder)/\(path)"
        let bytes: [UInt8]
        do {
            bytes = try InputFile.text(of: try InputFile.read(whole), whole)
        } catch {
            throw ConversionError((error as? Fault)?.description ?? "cannot read \(whole)")
        }
        return try SourceFile(whole, bytes)
    }

    /// The name of a file without its folder and endings, as an identifier.
    private static func name(of path: String) -> String {
        if path == "-" { return "converted" }
        let last = path.split(separator: "/").last.map(String.init) ?? ""
        let stem = last.split(separator: ".").first.map(String.init) ?? ""
        let name = Conversion.identifier(stem)
        return name.isEmpty ? "converted" : String(name.prefix(64))
    }
}
