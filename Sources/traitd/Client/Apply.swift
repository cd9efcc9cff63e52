// `traitd apply`: sends a session document to a running server, which changes the session to match it, or
// prints the plan of the changes.

import ArgumentParser
import Glibc
import JSONCodec
import SessionViews
import TraitJSON
import TraitSessions

struct Apply: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Change a session of a running server to match a file, or show the plan.",
        discussion: """
            The file is a session document, as GET …/export gives it, also of gzip, or - for standard \
            input. The session is the one that --session names, else the one of the document. It has to \
            exist, unless --create is given. --create makes the session first: interrupted between the two \
            requests it leaves an empty session, which the same command fills.

            With --plan nothing changes: the operations that would be done are printed, one a line. Without the \
            session, --plan --create reads the document as a new session, and tells what is wrong with it.

            Exit status: 0 when the session matches the file, with --plan when it matched already; 2 with \
            --plan when something would change; 1 when the server refuses, with its reason; 64 for wrong \
            arguments; 65 for a document of which no session can be made; 66 when the file cannot be read; \
            69 when no server answers; 74 when the output cannot be written, whatever the server did.
            """)

    @OptionGroup var server: ServerOptions
    @OptionGroup var progress: ProgressOptions

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The session document.", valueName: "path"),
        completion: .file())
    var file: String

    @Option(help: "The session, whatever the document calls it. (default: the document's name)")
    var session: String?

    @Flag(help: "Make the session, with the settings of the document, if it does not exist.")
    var create = false

    @Option(help: "The name of the manager, which then manages the values that the document sets.")
    var manager: String?

    @Option(help: ArgumentHelp("Why, for the readers of the history.", valueName: "text"))
    var reason: String?

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
    private static let unknownSession = "unknown-session"

    func validate() throws {
        if prune, manager == nil {
            throw ValidationError("--prune takes --manager: only what it manages is removed.")
        }
        if let reason, !CommitReason.isValid(Array(reason.utf8)) {
            throw ValidationError(
                "--reason is a text of 1 to \(CommitReason.bytesMax) bytes without control characters."
            )
        }
        for name in [session, manager].compactMap({ $0 }) where !Identifier.isValid(name) {
            throw ValidationError("'\(name)' is no name: 1 to 128 of A-Z a-z 0-9 - . _ ~.")
        }
    }

    func run() throws {
        let given = try InputFile.read(file, progress)
        let text = try InputFile.text(of: given, file)
        let (name, body) = try reading(text) { try target($0, text) }
        // The bytes of the file, unless the name in the document was taken out.
        let isWhole = body == text
        let coding =
            isWhole && InputFile.isCompressed(given) ? "Content-Encoding: gzip\r\n" : ""
        let sent = isWhole ? given : body
        var (status, answer) = try put(name, sent, coding)
        var made: String?
        if create, status == 404, code(of: answer) == Self.unknownSession {
            if plan {
                _ = try DocumentFile.reading(file) { () throws(SessionError) in
                    try DocumentFile.session(of: text)
                }
                try printLine("'\(name)' does not exist; --create would make it as the file says")
                throw Self.hasChanges
            }
            made = try makeSession(name, text)
            (status, answer) = try put(name, sent, coding)
        }
        if json {
            var text = String(decoding: answer, as: UTF8.self)
            if text.hasSuffix("\n") { text.removeLast() }
            try printLine(text)
        }
        guard status == 200 else {
            if let made { try remove(name, made) }
            throw refusal(status, answer, text)
        }
        let isUnchanged = try reading(answer) { json in
            let isUnchanged = json?.member("unchanged")?.bool ?? false
            if !self.json, let json { try self.show(json, isUnchanged) }
            return isUnchanged
        }
        if plan, !isUnchanged { throw Self.hasChanges }
    }

    private func put(
        _ name: String, _ body: [UInt8], _ coding: String
    ) throws -> (status: Int, answer: [UInt8]) {
        var parameters: [String] = []
        if let manager { parameters.append("manager=\(manager)") }
        for (name, isGiven) in [("prune", prune), ("force", force), ("dryRun", plan)] where isGiven
        {
            parameters.append("\(name)=true")
        }
        let query = parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
        let why = reason.map { "Traitd-Reason: \($0)\r\n" } ?? ""
        return try send(
            "PUT", "/v1/sessions/\(name)/apply\(query)",
            "Content-Type: application/json\r\n\(coding)\(why)", body)
    }

    private func send(
        _ method: String, _ target: String, _ fields: String, _ body: [UInt8] = []
    ) throws -> (status: Int, answer: [UInt8]) {
        var answer: [UInt8] = []
        var status = 0
        let line =
            body.isEmpty
            ? nil : ProgressLine("sending \(InputFile.name(file))", total: body.count, progress)
        try server.send(method, target, fields: fields, body: body, sent: line?.show) {
            code, bytes in
            status = code
            answer += bytes
        }
        return (status, answer)
    }

    // MARK: - The session

    /// Which session it is, and the document for it. The name in the document goes where the option gives
    /// another one.
    private func target(
        _ document: JSONValue?, _ text: [UInt8]
    ) throws -> (name: String, body: [UInt8]) {
        let given = document?.member("name")?.string?.string
        if let session {
            return (session, given == session ? text : document?.text(without: "name") ?? text)
        }
        guard let given, Identifier.isValid(given) else {
            // A text that is no JSON has no name; the reader says where its fault is.
            if document == nil {
                _ = try DocumentFile.reading(file) { () throws(SessionError) in
                    try DocumentFile.session(of: text)
                }
            }
            throw Fault(
                "the file names no session; give --session",
                code: ExitCode.validationFailure.rawValue)
        }
        return (given, text)
    }

    /// Makes an empty session with the settings of the document.
    ///
    /// - Returns: its entity tag; nil when another client has made it first.
    private func makeSession(_ name: String, _ text: [UInt8]) throws -> String? {
        let settings = try reading(text) { json in
            let members = ["propagation", "updates", "systemTraits", "limits"] as [StaticString]
            return members.compactMap { member in
                json?.member(member).map {
                    "\"\(member)\":\(String(decoding: $0.rawBytes, as: UTF8.self))"
                }
            }.joined(separator: ",")
        }
        let (status, answer) = try send(
            "PUT", "/v1/sessions/\(name)", "Content-Type: application/json\r\n",
            Array("{\(settings)}".utf8))
        if status == 200 { return nil }
        guard status == 201 else { throw refusal(status, answer, text) }
        return try reading(answer) { $0?.member("uid")?.string.map { "\"\($0.string).1\"" } }
    }

    /// Removes the session that was made for a document that is refused, unless it has changed since.
    private func remove(_ name: String, _ tag: String) throws {
        _ = try send("DELETE", "/v1/sessions/\(name)", "If-Match: \(tag)\r\n")
    }

    // MARK: - Answers

    private func show(_ answer: JSONValue, _ isUnchanged: Bool) throws(Fault) {
        let name = answer.member("session")?.string?.string ?? ""
        let revision = answer.member("revision")?.int64 ?? 0
        if isUnchanged {
            try printLine("\(name) is as the file says, at revision \(revision)")
        } else if plan {
            if let operations = answer.member("operations") {
                for operation in operations.elements {
                    try printLine(String(decoding: operation.rawBytes, as: UTF8.self))
                }
            }
            if answer.member("operationsTruncated")?.bool ?? false {
                try printLine("…")
            }
            try printLine("planToken \(answer.member("planToken")?.string?.string ?? "")")
        } else {
            let notified = answer.member("notified")?.int64 ?? 0
            try printLine(
                "\(name) is at revision \(revision); \(notified) registrations were notified")
        }
    }

    private func code(of answer: [UInt8]) -> String? {
        (try? reading(answer) { $0?.member("code")?.string?.string }) ?? nil
    }

    /// Prints each fault with its place in the file.
    private func refusal(_ status: Int, _ answer: [UInt8], _ text: [UInt8]) -> Fault {
        let name = InputFile.name(file)
        let lines =
            try? reading(answer) { json -> [String] in
                guard let json, let fault = FaultText(json) else { return [] }
                let all = json.member("errors").map { Array($0.elements) } ?? []
                let faults = all.isEmpty ? [fault] : all.compactMap { FaultText($0) }
                return faults.map { fault in
                    let isOfFile = fault.pointer != nil || fault.line != nil
                    return fault.line(of: isOfFile ? name : "")
                }
                    + conflicts(json, text)
            }
        var known = lines ?? []
        if code(of: answer) == Self.unknownSession {
            known.append("give --create to make the session as the file says")
        }
        return Fault(
            known.isEmpty ? ["the server answered \(status)"] : known,
            code: Self.refused.rawValue)
    }

    /// The fields that other managers have, each with its node.
    private func conflicts(_ answer: JSONValue, _ text: [UInt8]) -> [String] {
        guard let fields = answer.member("fields") else { return [] }
        let lines = try? reading(text, tape: JSONTape(limits: Self.documentLimits)) { document in
            let places = document.map { DocumentPlaces($0) }
            return fields.elements.map { field in
                let pointer = field.member("pointer")?.string?.string ?? ""
                let node = places?.id(at: pointer).map { " in '\($0)'" } ?? ""
                let manager = field.member("manager")?.string.map { "by \($0.string)" }
                return "  \(pointer)\(node) is managed \(manager ?? "by no manager")"
            }
        }
        return lines ?? []
    }

    private static let documentLimits = JSONLimits(
        documentBytesMax: JSONLimits.documentBytesCeiling,
        valuesMax: JSONLimits.documentBytesCeiling)

    /// - Parameter read: gets the JSON; nil for other texts, which the server refuses with the place of the error.
    private func reading<Value>(
        _ text: [UInt8], tape: JSONTape = JSONTape(limits: Self.documentLimits),
        _ read: (JSONValue?) throws -> Value
    ) throws -> Value {
        try text.withUnsafeBytes { bytes in
            var result: Result<Value, any Error>?
            do throws(JSONError) {
                try tape.withDocument(bytes) { json in result = Result { try read(json) } }
            } catch {
                return try read(nil)
            }
            return try result?.get() ?? read(nil)
        }
    }
}
