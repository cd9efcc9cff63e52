// `traitd token`: makes tokens, lists and revokes them. All of it works on the file alone; a server that
// uses the file rereads it on SIGHUP.

import ArgumentParser
import Glibc
import SessionViews
import TraitJSON
import TraitService
import TraitSessions

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make, list, rotate and revoke the tokens of a file.",
        discussion: """
            The file holds hashes of secrets, never a secret. It has to be readable by its owner alone. \
            A running server rereads it on SIGHUP.
            """,
        subcommands: [New.self, List.self, Rotate.self, Revoke.self])
}

/// The option of all token commands.
struct TokenFileOption: ParsableArguments {
    @Option(help: ArgumentHelp("The file of tokens.", valueName: "file"), completion: .file())
    var tokens: String

    var file: TokenFile { TokenFile(path: tokens) }
}

/// A time to live: `90d`, `12h`, `30m`.
struct TokenLifetime {
    let milliseconds: Int64

    static func read(_ text: String) throws -> TokenLifetime {
        guard let lifetime = TokenLifetime(text) else {
            throw ValidationError("it goes from 1 to 999999 with m, h or d behind it, as 90d.")
        }
        return lifetime
    }

    private init?(_ argument: String) {
        let units: [Character: Int64] = ["m": 60_000, "h": 3_600_000, "d": 86_400_000]
        guard let last = argument.last, let unit = units[last],
            argument.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            (1...6).contains(argument.utf8.count - 1),
            let count = Int64(argument.dropLast()), count > 0
        else { return nil }
        milliseconds = count * unit
    }
}

extension TokenCommand {
    /// Adds an entry, and prints its token first: no token is kept whose secret is not written. Standard output has
    /// tokens and lists alone.
    fileprivate static func append(
        _ entry: TokenEntry, _ token: String, to file: TokenFile
    ) throws {
        try file.append(entry) {
            try printLine(token)
            // EINVAL: a pipe or a terminal.
            if fsync(STDOUT_FILENO) != 0, errno != EINVAL, errno != EROFS, errno != ENOTSUP {
                throw Fault.unwritable("standard output", errno)
            }
        }
        say(
            "Keep it: it is not shown again, and the file has its hash alone. SIGHUP makes a running "
                + "server reread the file.")
    }

    fileprivate static func missing(_ accessor: String) -> ValidationError {
        ValidationError(
            "There is no token '\(accessor)' in the file; `traitd token list` shows them.")
    }
}

extension TokenCommand {
    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a token and print it once.")

        @OptionGroup var option: TokenFileOption

        @Option(help: "What you call it, for lists and logs.")
        var name: String

        @Option(help: "What it may do: read, write, or admin; each includes those before it.")
        var allow: String

        @Option(
            parsing: .upToNextOption,
            help: ArgumentHelp(
                "The sessions it is for, as patterns: team-* or a name. (default: *)",
                valueName: "pattern"))
        var sessions: [String] = []

        @Option(
            help: "How long it lives, as 90d, 12h or 30m. (default: for ever)",
            transform: TokenLifetime.read)
        var expires: TokenLifetime?

        func validate() throws {
            guard TokenEntry.isName(name) else {
                throw ValidationError(
                    "--name takes 1 to \(TokenEntry.nameBytesMax) printable characters of ASCII.")
            }
            guard TokenEntry.verbs.contains(where: { $0.rawValue == allow }) else {
                throw ValidationError("--allow takes read, write or admin.")
            }
            guard sessions.count <= TokenEntry.patternsMax,
                sessions.allSatisfy(SessionScope.isValid)
            else {
                throw ValidationError(
                    "--sessions takes names of sessions, in which * and ? stand for any characters "
                        + "and for one.")
            }
        }

        func run() throws {
            let accessor = TokenText.makeAccessor()
            let (token, hash) = TokenText.make(accessor: accessor)
            let now = SessionEnvironment.system.now()
            let entry = TokenEntry(
                accessor: accessor, name: name,
                allow: TokenEntry.verbs.first { $0.rawValue == allow } ?? .read,
                sessions: sessions.isEmpty ? ["*"] : sessions, hash: hash, created: now,
                expires: expires.map { now + $0.milliseconds })
            try TokenCommand.append(entry, token, to: option.file)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the tokens of the file; no secret is in it.")

        @OptionGroup var option: TokenFileOption

        func run() throws {
            let now = SessionEnvironment.system.now()
            for entry in try option.file.read(byCommand: true) {
                var words = [
                    entry.accessor, entry.allow.rawValue, entry.sessions.joined(separator: ","),
                    "created=\(Timestamp.text(entry.created))",
                ]
                if let expires = entry.expires {
                    words.append(
                        "\(expires <= now ? "expired" : "expires")=\(Timestamp.text(expires))")
                }
                try printLine((words + ["name=\"\(entry.name)\""]).joined(separator: " "))
            }
        }
    }

    struct Rotate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Print a second secret of a token; the first one stays good until it is revoked.")

        @OptionGroup var option: TokenFileOption

        @Argument(help: "The token, by its accessor: the part after traitd_.")
        var accessor: String

        @Option(
            help: "How long the new secret lives, as 90d. (default: as long as the old one)",
            transform: TokenLifetime.read)
        var expires: TokenLifetime?

        func run() throws {
            let (token, hash) = TokenText.make(accessor: accessor)
            let now = SessionEnvironment.system.now()
            let entries = try option.file.read(byCommand: true)
            guard var entry = entries.last(where: { $0.accessor == accessor }) else {
                throw TokenCommand.missing(accessor)
            }
            entry.hash = hash
            entry.created = now
            if let expires { entry.expires = now + expires.milliseconds }
            try TokenCommand.append(entry, token, to: option.file)
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a token from the file, or the older of its two secrets.")

        @OptionGroup var option: TokenFileOption

        @Argument(help: "The token, by its accessor: the part after traitd_.")
        var accessor: String

        @Flag(help: "Remove the older of two secrets alone.")
        var older = false

        func run() throws {
            var removed = 0
            try option.file.rewrite { entries in
                var rest = entries
                let places = entries.indices.filter { entries[$0].accessor == accessor }
                if older {
                    guard places.count > 1, let first = places.first else { return entries }
                    rest.remove(at: first)
                } else {
                    rest.removeAll { $0.accessor == accessor }
                }
                removed = entries.count - rest.count
                return rest
            }
            if removed == 0 {
                throw older
                    ? ValidationError("'\(accessor)' has no two secrets; leave --older out.")
                    : TokenCommand.missing(accessor)
            }
            say("Removed \(removed). SIGHUP makes a running server reread the file.")
        }
    }
}
