// A change whose effect `traitd render` prints: the body of a transaction, as a request has it.

import ArgumentParser
import JSONCodec
import SessionViews
import TraitJSON
import TraitSessions

struct RenderedChange {
    /// The file or the options that the change comes from, for messages.
    let name: String
    private let body: [UInt8]
    /// Whether lines and columns of the body mean something to people.
    private let isFile: Bool

    init(name: String, body: [UInt8], isFile: Bool = true) {
        self.name = name
        self.body = body
        self.isFile = isFile
    }

    /// A transaction of operations, each JSON.
    init(operations: [String]) {
        self.init(
            name: "--set and --remove",
            body: Array("{\"operations\":[\(operations.joined(separator: ","))]}".utf8),
            isFile: false)
    }

    /// `NODE/TRAIT=VALUE` as an operation.
    static func settingOverride(_ text: String) throws -> String {
        guard let setting = text.cut(at: UInt8(ascii: "=")) else {
            throw ValidationError("--set '\(text)' has no '='; give NODE/TRAIT=VALUE.")
        }
        let (node, trait) = try place(setting.before, of: "--set", text)
        let value = json(setting.after)
        return "{\"op\":\"setOverride\",\"node\":\(node),\"trait\":\(trait),\"value\":\(value)}"
    }

    /// `NODE/TRAIT` as an operation.
    static func removingOverride(_ text: String) throws -> String {
        let (node, trait) = try place(text, of: "--remove", text)
        return "{\"op\":\"removeOverride\",\"node\":\(node),\"trait\":\(trait)}"
    }

    private static func place(
        _ place: String, of option: String, _ text: String
    ) throws -> (node: String, trait: String) {
        guard let names = place.cutAtLast(UInt8(ascii: "/")) else {
            throw ValidationError("\(option) '\(text)' has no '/'; give the node and the trait.")
        }
        return (quoted(names.before), quoted(names.after))
    }

    /// The text itself if it is JSON, else the text as a JSON string.
    private static func json(_ text: String) -> String {
        let tape = JSONTape(limits: JSONLimits())
        let isJSON = Array(text.utf8).withUnsafeBytes { bytes in
            (try? tape.withDocument(bytes) { _ in true }) ?? false
        }
        return isJSON ? text : quoted(text)
    }

    private static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.value(text)
        return String(decoding: writer.array(), as: UTF8.self)
    }

    /// Commits the change.
    ///
    /// - Throws: the reason of a refusal; then nothing has changed.
    func apply(
        to session: Session
    ) throws(SessionError) -> (body: [UInt8], outcome: CommitOutcome) {
        let tape = JSONTape(limits: JSONLimits(documentBytesMax: JSONLimits.documentBytesCeiling))
        return try tape.withDocument(of: body, refusal: SessionError.init) {
            json throws(SessionError) in
            do throws(SessionError) {
                return try commit(json, to: session)
            } catch {
                throw isFile ? DocumentPlaces(json).placing(error) : error
            }
        }
    }

    private func commit(
        _ json: JSONValue, to session: Session
    ) throws(SessionError) -> (body: [UInt8], outcome: CommitOutcome) {
        let object = try ObjectReader(json, "a transaction", members: ["operations", "ifRevision"])
        var options = CommitOptions()
        options.changes = true
        options.condition.ifRevision = try object.integer("ifRevision")
        let operations = try object.required("operations")
        guard case .array = operations.kind else {
            throw object.wrongType("operations", "an array of operations", operations)
        }
        return try session.commitWaiting(Proposal(.many(operations), options))
    }
}
