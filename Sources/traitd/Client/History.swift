// `traitd history`: who changed a session of a running server, when, why, and what was there before.

import ArgumentParser
import Glibc
import JSONCodec
import SessionViews
import TraitJSON
import TraitSessions

struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show who changed a session of a running server, when, why, and what was before.",
        discussion: """
            Commits come newest first: the revision, the time in this machine's zone, who made it, and why; \
            below, each operation with the value that it replaced. With --node and --trait they are the \
            commits that changed what the trait resolves to at the node, wherever it was set; with one of \
            them, those with an operation on it.

            --since and --until take a revision, a time of RFC 3339, or a time as people say it: yesterday, \
            tuesday, 2026-11-24, "2026-11-24 10:30", "2 hours ago". A day means all of it.

            `traitd revert SESSION --to REVISION` takes the session back.

            Exit status: 0; 1 when the server refuses, with its reason; 64 for wrong arguments; 69 when no \
            server answers.
            """)

    @OptionGroup var server: ServerOptions

    @Argument(help: "The session.")
    var session: String

    @Option(help: "Only commits about this node.")
    var node: String?

    @Option(help: "Only commits about this trait.")
    var trait: String?

    @Option(help: ArgumentHelp("Only commits from then on.", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Only commits up to then.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("The most commits to show.", valueName: "count"))
    var limit = 100

    @Flag(help: "Print each commit as the server shows it, one a line.")
    var json = false

    /// Commits in one answer of the server.
    private static let pageSizeMax = 100

    func validate() throws {
        for name in [session, node, trait].compactMap({ $0 }) where !Identifier.isValid(name) {
            throw ValidationError("'\(name)' is no name: 1 to 128 of A-Z a-z 0-9 - . _ ~.")
        }
        if limit < 1 { throw ValidationError("--limit is at least 1.") }
        _ = try moments()
    }

    /// The parameters `since` and `until`.
    private func moments() throws -> [String] {
        try [("since", since), ("until", until)].compactMap { name, text in
            guard let text else { return nil }
            let value = MomentText.parameter(text, now: time(nil), isEnd: name == "until")
            guard let value else {
                throw ValidationError(
                    "--\(name) '\(text)' is no revision and no time, such as yesterday, tuesday, "
                        + "2026-11-24, \"2026-11-24 10:30\" or \"2 hours ago\".")
            }
            return "\(name)=\(SessionAnswer.query(value))"
        }
    }

    func run() throws {
        var parameters = try moments() + ["operations=true"]
        if let node, let trait {
            parameters.append("resolved=\(node):\(trait)")
        } else {
            if let node { parameters.append("node=\(node)") }
            if let trait { parameters.append("trait=\(trait)") }
        }
        var rest = limit
        var page: String?
        var shown = 0
        repeat {
            let query =
                parameters + ["pageSize=\(min(rest, Self.pageSizeMax))"]
                + (page.map { ["pageToken=\(SessionAnswer.query($0))"] } ?? [])
            let answer = try SessionAnswer(
                server, "GET", "/v1/sessions/\(session)/history?" + query.joined(separator: "&"))
            page = try answer.reading { json in
                for commit in json.member("commits")?.elements.map({ $0 }) ?? [] {
                    show(commit)
                    shown += 1
                    rest -= 1
                }
                return json.member("nextPageToken")?.string?.string
            }
        } while page != nil && rest > 0
        if json { return }
        if shown == 0 { print("no commit of '\(session)' that the server still has is like that") }
        if page != nil { print("older ones: --limit \(limit * 10)") }
    }

    private func show(_ commit: JSONValue) {
        if json { return print(SessionAnswer.raw(commit)) }
        let cause = commit.member("cause")
        let time = MomentText.local(SessionAnswer.text(commit, "time") ?? "")
        var line = "\(SessionAnswer.text(commit, "revision") ?? "")  \(time)  \(author(cause))"
        if let reason = cause?.member("reason")?.string?.string { line += "  \"\(reason)\"" }
        print(line)
        for operation in commit.member("operations")?.elements.map({ $0 }) ?? [] {
            print("    " + Self.line(of: operation))
        }
    }

    /// Who made a commit: the owner of the token, the manager, or the server.
    private func author(_ cause: JSONValue?) -> String {
        guard let cause else { return "-" }
        let caller = cause.member("caller").flatMap {
            SessionAnswer.text($0, "name") ?? SessionAnswer.text($0, "id")
        }
        if let manager = cause.member("manager")?.string?.string {
            return caller.map { "\($0) (\(manager))" } ?? manager
        }
        if cause.member("expired")?.bool == true { return "end of a temporary value" }
        return caller ?? "-"
    }

    /// `setOverride europe newCheckout false (was true)`.
    static func line(of operation: JSONValue) -> String {
        var words = [SessionAnswer.text(operation, "op") ?? ""]
        for member in [
            "node", "trait", "key", "registration", "scope", "color", "image", "name", "value",
            "patch",
            "parent", "before", "after", "label", "expiresAt",
        ] as [StaticString] {
            guard let value = operation.member(member) else { continue }
            let text = SessionAnswer.raw(value)
            switch member.description {
            case "node", "trait", "key", "registration", "scope", "color", "image", "name":
                words.append(value.string?.string ?? text)
            case "value", "patch": words.append(text)
            default: words.append("\(member) \(text)")
            }
        }
        if let previous = operation.member("previous") {
            words.append("(was \(SessionAnswer.raw(previous)))")
        }
        return words.joined(separator: " ")
    }
}
