// `traitd revert`: takes a session of a running server back to an earlier revision or time, or takes back one commit.

import ArgumentParser
import Glibc
import JSONCodec
import SessionViews
import TraitJSON
import TraitSessions

struct RevertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revert",
        abstract:

            "Take a session of a running server back to an earlier state, or take back one commit.",
        discussion: """
            --to takes a revision, or a time as `traitd history` does: "tuesday 10:00" means the state at \
            that time, a day its end. --commit takes back what one commit changed and keeps what came later. \
            It is refused where a later commit changed the same thing: each such place is listed with its \
            revision. The revert is one commit, which the history shows and another revert takes back. With --dry-run nothing changes: the operations that would be done are printed, one \
            a line.

            Exit status: 0; 2 with --dry-run when something would change; 1 when the server refuses, with \
            its reason; 64 for wrong arguments; 69 when no server answers.
            """)

    @OptionGroup var server: ServerOptions

    @Argument(help: "The session.")
    var session: String

    @Option(help: ArgumentHelp("The revision or time to go back to.", valueName: "when"))
    var to: String?

    @Option(
        help: ArgumentHelp(
            "The commit to take back alone, by its revision.", valueName: "revision"))
    var commit: Int64?

    @Option(help: "Only this node and those below it. Can be given several times.")
    var node: [String] = []

    @Option(help: ArgumentHelp("Why, for the readers of the history.", valueName: "text"))
    var reason: String?

    @Flag(help: "Show the operations that would be done, and change nothing.")
    var dryRun = false

    private static let hasChanges = ExitCode(2)

    private func target(_ text: String) -> String? {
        MomentText.parameter(text, now: time(nil), isEnd: true)
    }

    func validate() throws {
        for name in [session] + node where !Identifier.isValid(name) {
            throw ValidationError("'\(name)' is no name: 1 to 128 of A-Z a-z 0-9 - . _ ~.")
        }
        guard (to == nil) != (commit == nil) else {
            throw ValidationError("Give --to or --commit, and not both.")
        }
        if let to, target(to) == nil {
            throw ValidationError(
                "--to '\(to)' is no revision and no time, such as yesterday or \"tuesday 10:00\".")
        }
        if let commit, commit < 1 {
            throw ValidationError("--commit is a revision, counted from 1; it is \(commit).")
        }
        if let reason, !CommitReason.isValid(Array(reason.utf8)) {
            throw ValidationError(
                "--reason is a text of 1 to \(CommitReason.bytesMax) bytes without control characters."
            )
        }
    }

    func run() throws {
        var body = JSONWriter()
        body.beginObject()
        body.member("commit", ifPresent: commit)
        if let target = to.flatMap(target) {
            if let revision = Int64(target) {
                body.member("revision", revision)
            } else {
                body.member("at", target)
            }
        }
        if !node.isEmpty {
            body.beginArray("nodes")
            for name in node { body.value(name) }
            body.endArray()
        }
        body.member("reason", ifPresent: reason)
        body.endObject()
        let answer = try SessionAnswer(
            server, "POST", "/v1/sessions/\(session)/revert" + (dryRun ? "?dryRun=true" : ""),
            body: String(decoding: body.array(), as: UTF8.self))
        let isUnchanged = try answer.reading { json in
            let isUnchanged = json.member("unchanged")?.bool ?? false
            show(json, isUnchanged)
            return isUnchanged
        }
        if dryRun, !isUnchanged { throw Self.hasChanges }
    }

    private func show(_ answer: JSONValue, _ isUnchanged: Bool) {
        let revision = answer.member("revision")?.int64 ?? 0
        let goal = answer.member("revertedTo")?.int64 ?? 0
        let end =
            commit.map { "without the changes of commit \($0)" }
            ?? "as it was at revision \(goal)"
        if isUnchanged { return print("\(session) is \(end); nothing changes") }
        guard dryRun else {
            return print(
                "\(session) is at revision \(revision), \(end); "
                    + "\(answer.member("notified")?.int64 ?? 0) registrations were notified")
        }
        for operation in answer.member("operations")?.elements.map({ $0 }) ?? [] {
            print(SessionAnswer.raw(operation))
        }
        if answer.member("operationsTruncated")?.bool ?? false { print("…") }
    }
}
