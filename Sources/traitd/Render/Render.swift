// `traitd render`: prints the resolved traits of a session file, and the effect of changes, without a server.

import ArgumentParser
import Glibc
import SessionViews
import TraitJSON
import TraitSessions

struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Print what a session file resolves to, and what a change would do. No server needed.",
        discussion: """
            Prints the hierarchy as a tree. Each node shows the traits whose value is set there (as an \
            override or supplied), or those that --traits names, with where each value comes from. With a \
            change, nodes whose values would change show both values, and the registrations that would be \
            notified are listed.

            A change is given as --set NODE/TRAIT=VALUE, --remove NODE/TRAIT, or as --change FILE with the \
            body of POST …/transactions. VALUE is JSON, or a word, which is taken for a string: \
            --set scene/theme=bold --set window/displayScale=3.

            Exit status: 0; 1 with --exit-code when the change alters a value; 64 for wrong arguments; 65 \
            when the file, the change or a name is wrong, with the reason; 66 when a file cannot be read; 74 when \
            the output cannot be written.
            """)

    @Argument(
        help: ArgumentHelp(
            "The session document, also of gzip, or - for standard input.", valueName: "file"),
        completion: .file())
    var file: String

    @OptionGroup var progress: ProgressOptions

    @Option(help: ArgumentHelp("Print this node and what is below it.", valueName: "node"))
    var node: String?

    @Option(
        help: ArgumentHelp(
            "Print these traits of every node: names, or a set such as systemTraitsAffectingColorAppearance.",
            valueName: "names"))
    var traits: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("Set an override; may be repeated.", valueName: "node/trait=value"))
    var overrides: [String] = []

    @Option(
        name: .customLong("remove"),
        help: ArgumentHelp("Remove an override; may be repeated.", valueName: "node/trait"))
    var removals: [String] = []

    @Option(
        help: ArgumentHelp(
            "A file with the body of a transaction, made after --set and --remove.",
            valueName: "path"), completion: .file())
    var change: [String] = []

    @Option(
        help: ArgumentHelp(
            "Print what nodes show in combinations of traits, devices and operations: a file with the body of POST …/variants.",
            valueName: "path"))
    var variants: String?

    @Flag(
        help: """
            Print JSON: for each node a line, the answer of GET …/nodes/{node}/traits?explain=true \
            after the change, and last the answer of the transaction with changes=true. With --variants an \
            array of the rows, in place of a line for each.
            """)
    var json = false

    @Flag(help: "Exit with 1 when the change alters a value.")
    var exitCode = false

    func validate() throws {
        if exitCode, overrides.isEmpty, removals.isEmpty, change.isEmpty {
            throw ValidationError("--exit-code goes with --set, --remove or --change.")
        }
        if variants != nil, node != nil || traits != nil {
            throw ValidationError("--variants has `nodes` and `reads` in its file.")
        }
    }

    func run() throws {
        let bytes = try InputFile.text(file, progress)
        let session = try DocumentFile.reading(file) { () throws(SessionError) in
            try DocumentFile.session(of: bytes)
        }
        let view = try DocumentFile.reading(file) { () throws(SessionError) in
            try HierarchyView(session, under: node, traits: traits)
        }
        let before = view.values()
        var answers: [(body: [UInt8], outcome: CommitOutcome)] = []
        for change in try changes() {
            answers.append(
                try DocumentFile.reading(change.name) { () throws(SessionError) in
                    try change.apply(to: session)
                })
        }
        let after = view.values()
        let output = try OutputFile(nil)
        if let variants {
            let body = try InputFile.text(variants, progress)
            let text = try DocumentFile.reading(variants) { () throws(SessionError) in
                try RenderedVariants.text(of: session, body, asArray: json)
            }
            text.withUnsafeBytes(output.write)
        } else if json {
            view.writeJSON(to: output)
            for answer in answers { answer.body.withUnsafeBytes(output.write) }
        } else {
            let tree = RenderedTree(view, before: before, after: after)
            tree.write(to: output)
            if !answers.isEmpty { tree.writeEffects(of: answers.map(\.outcome), to: output) }
        }
        try output.finish()
        if exitCode, before != after { throw ExitCode(1) }
    }

    /// The changes of the arguments, in the order in which they are made.
    private func changes() throws -> [RenderedChange] {
        var changes: [RenderedChange] = []
        let operations =
            try overrides.map(RenderedChange.settingOverride)
            + removals.map(RenderedChange.removingOverride)
        if !operations.isEmpty { changes.append(RenderedChange(operations: operations)) }
        for path in change {
            changes.append(RenderedChange(name: path, body: try InputFile.text(path, progress)))
        }
        return changes
    }
}
