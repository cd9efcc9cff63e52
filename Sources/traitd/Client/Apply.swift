// `traitd apply`: sends a session document to a running server, which changes the session to match it, or
// prints the plan of the changes.

import ArgumentParser
import Glibc
import JSONCodec
import TraitSessions

struct Apply: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Change a session of a running server to match a file, or show the plan.",
        discussion: """
            The file is a session document, as GET …/export gives it, or - for standard input. A file \
            whose name ends with .gz is sent compressed. The session has to exist.

            With --plan nothing changes: the operations that would be done are printed, one a line.

            Exit status: 0 when the session matches the file, with --plan when it matched already; 2 with \
            --plan when something would change; 1 when the server refuses, with its reason; 64 for wrong \
            arguments; 66 when the file cannot be read; 69 when no server answers.
            """)

    @OptionGroup var server: ServerOptions

    @Option(name: .shortAndLong, help: ArgumentHelp("The session document.", valueName: "path"))
    var file: String

    @Option(help: "The session. (default: the session that the document names)")
    var session: String?

    @Option(help: "The name of the manager, which then manages the values that the document sets.")
    var manager: String?

    @Flag(help: "Show the operations that would be done, and change nothing.")
    var plan = false

    @Flag(help: "Remove values and nodes of the manager that the document no longer has.")
    var prune = false

    @Flag(help: "Take over values of other managers.")
    var force = false

    @Flag(help: "Print the server's answer as it is.")
    var json = false

    private static let refused = ExitCode(1)
    private static let hasChanges = ExitCode(2)

    func validate() throws {
        if prune, manager == nil {
            throw ValidationError("--prune takes --manager: only what it manages is removed.")
        }
        for name in [session, manager].compactMap({ $0 }) where !Identifier.isValid(name) {
            throw ValidationError("'\(name)' is no name: 1 to 128 of A-Z a-z 0-9 - . _ ~.")
        }
    }

    func run() throws {
        let body = try InputFile.read(file == "-" ? "/dev/stdin" : file)
        var parameters: [String] = []
        if let manager { parameters.append("manager=\(manager)") }
        for (name, isGiven) in [("prune", prune), ("force", force), ("dryRun", plan)] where isGiven
        {
            parameters.append("\(name)=true")
        }
        let query = parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
        let coding = file.hasSuffix(".gz") ? "Content-Encoding: gzip\r\n" : ""
        var answer: [UInt8] = []
        var status = 0
        try server.send(
            "PUT", "/v1/sessions/\(try target(body))/apply\(query)",
            fields: "Content-Type: application/json\r\n\(coding)", body: body
        ) { code, bytes in
            status = code
            answer += bytes
        }
        if json { print(String(decoding: answer, as: UTF8.self), terminator: "") }
        guard status == 200 else { throw try refusal(status, answer) }
        let isUnchanged = try reading(answer) { json in
            let isUnchanged = json.member("unchanged")?.bool ?? false
            if !self.json { self.show(json, isUnchanged) }
            return isUnchanged
        }
        if plan, !isUnchanged { throw Self.hasChanges }
    }

    /// The session's name: the option's, else the document's.
    private func target(_ body: [UInt8]) throws -> String {
        if let session { return session }
        if !file.hasSuffix(".gz") {
            let name = try reading(body) { $0.member("name")?.string?.string }
            if let name, Identifier.isValid(name) { return name }
        }
        throw ValidationError("The file names no session; give --session.")
    }

    private func show(_ answer: JSONValue, _ isUnchanged: Bool) {
        let name = answer.member("session")?.string?.string ?? ""
        let revision = answer.member("revision")?.int64 ?? 0
        if isUnchanged {
            print("\(name) is as the file says, at revision \(revision)")
        } else if plan {
            if let operations = answer.member("operations") {
                for operation in operations.elements {
                    print(String(decoding: operation.rawBytes, as: UTF8.self))
                }
            }
            if answer.member("truncated")?.bool ?? false { print("…") }
            print("planToken \(answer.member("planToken")?.string?.string ?? "")")
        } else {
            let notified = answer.member("notified")?.int64 ?? 0
            print("\(name) is at revision \(revision); \(notified) registrations were notified")
        }
    }

    private func refusal(_ status: Int, _ answer: [UInt8]) throws -> ExitCode {
        let reason = try? reading(answer) { $0.member("detail")?.string?.string }
        return Offline.failure(
            reason.flatMap { $0 } ?? "the server answered \(status)", code: Self.refused.rawValue)
    }

    private func reading<Value>(
        _ text: [UInt8], _ read: (JSONValue) -> Value
    ) throws -> Value {
        let result = text.withUnsafeBytes { bytes in
            Result { () throws(SessionError) in
                try JSONTape().withDocument(bytes, refusal: SessionError.init) {
                    json throws(SessionError) in read(json)
                }
            }
        }
        switch result {
        case .success(let value): return value
        case .failure(let error): throw Offline.failure("\(file): \(error.detail)")
        }
    }
}
