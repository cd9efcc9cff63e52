// Lets clients/conformance drive this client; the README.md there has the protocol.

import Foundation
import TraitClient

let writing = NSLock()
let runner = Runner()
while let line = readLine() {
    try await runner.carryOut(try TraitValue(json: line))
}
func write(_ members: [(String, TraitValue?)]) {
    let given = members.compactMap { name, value in value.map { (name, $0) } }
    let line = "\(TraitValue.object(TraitObject(given)))\n"
    writing.withLock { FileHandle.standardOutput.write(Data(line.utf8)) }
}
func write(_ event: TraitValue, _ change: TraitChange) {
    write([
        ("event", event), ("node", .string(change.node)), ("trait", .string(change.trait)),
        ("previous", change.previous), ("current", change.current),
        ("revision", .integer(change.revision)),
    ])
}

func members(_ state: WatchState?, _ watch: TraitClient.Watch?) -> [(String, TraitValue?)] {
    [
        ("state", state.map { .string($0.rawValue) }),
        ("reason", watch?.reason.map(TraitValue.string) ?? .null),
        ("values", values(watch?.snapshot() ?? [:])),
    ]
}

/// The watch, for its callbacks: the first one waits until the watch is there.
final class Place: @unchecked Sendable {
    private let lock = NSLock()
    private weak var held: TraitClient.Watch?

    var watch: TraitClient.Watch? { lock.withLock { held } }
    func put(_ make: () -> TraitClient.Watch) -> TraitClient.Watch {
        lock.lock()
        defer { lock.unlock() }
        let made = make()
        held = made
        return made
    }
}
func values(_ snapshot: [String: [String: TraitValue]]) -> TraitValue {
    .object(TraitObject(snapshot.map { ($0, .object(TraitObject($1.map { ($0, $1) }))) }))
}
func texts(_ value: TraitValue?) -> [String] { value?.array?.compactMap(\.string) ?? [] }

@MainActor final class Runner {
    private var client: TraitClient?
    private var session: TraitClient.Session?
    private var watch: TraitClient.Watch?
    private var iteration: Task<Void, Never>?

    func carryOut(_ command: TraitValue) async throws {
        var answer: [(String, TraitValue?)] = [("id", command["id"])]
        switch command["do"]?.string {
        case "open": answer += await open(command)
        case "synced":
            let timeout = Duration.seconds((command["timeoutMs"]?.double ?? 10_000) / 1000)
            let isReady = (try? await watch?.synced(timeout: timeout)) != nil
            answer += [
                ("ready", .bool(isReady)),
                ("reason", watch?.reason.map(TraitValue.string) ?? .null),
            ]
        case "look":
            answer += members(watch?.state, watch)
            answer.append(("revision", watch?.revision.map(TraitValue.integer) ?? .null))
        case "close": await close()
        case "iterate": iterate()
        case "call":
            if command["name"]?.string == "variants" {
                answer += await variants(command["arguments"]?.object ?? [:])
                break
            }
            do {
                answer.append(("result", try await call(command)))
            } catch {
                answer += failure(error)
            }
        case "hash":
            let (node, trait) = (command["node"]?.string ?? "", command["trait"]?.string ?? "")
            let hash = pairHash(node: node, trait: trait, value: command["value"] ?? .null)
            answer.append(("hash", .string(hash.digestText)))
        default: break  // "throw": callbacks of this client cannot.
        }
        write(answer)
    }

    private func close() async {
        watch?.close()
        if iteration == nil { iterate() }
        await iteration?.value
        iteration = nil
    }

    private func open(_ command: TraitValue) async -> [(String, TraitValue?)] {
        await close()
        watch = nil
        let backoff = (command["backoffMs"]?.array ?? []).compactMap(\.double)
        let first = Duration.seconds((backoff.first ?? 500) / 1000)
        let client = TraitClient(
            url: URL(string: command["url"]?.string ?? "") ?? URL(fileURLWithPath: "/"),
            token: command["token"]?.string,
            configuration: .init(
                timeout: .seconds((command["timeoutMs"]?.double ?? 10_000) / 1000),
                retries: Int(command["retries"]?.integer ?? 4),
                backoff: first...max(first, .seconds((backoff.last ?? 30_000) / 1000)),
                stateBytesMax: Int(command["stateBytesMax"]?.integer ?? 64 << 20))
        )
        self.client = client
        session = client.session(command["session"]?.string ?? "")
        // Sessions of this client are values; their calls throw.
        if let fault = session?.fault { return [("refused", .string(fault.message))] }
        guard let session, let watches = command["watches"]?.object else { return [] }
        let followed = watches.map { node, traits in
            (node, traits.array == nil ? .all : WatchedTraits.traits(texts(traits)))
        }
        let place = Place()
        watch = place.put {
            session.watch(
                Dictionary(followed) { $1 }, registrations: texts(command["registrations"]),
                onChange: { write("change", $0) },
                onState: { write([("event", "state")] + members($0, place.watch)) })
        }
        if watch?.reason == "invalid-argument" { return [("refused", "the watch is closed")] }
        if command["iterates"]?.bool ?? true { iterate() }
        return []
    }

    private func iterate() {
        guard let watch else { return }
        iteration = Task.detached { for await change in watch.changes { write("next", change) } }
    }

    /// The result or the error, and how many rows came before the error.
    private func variants(_ given: TraitObject) async -> [(String, TraitValue?)] {
        guard let session, let query = given["query"] else { return [] }
        let found = session.variants(
            nodes: texts(query["nodes"]), axes: query["axes"]?.array ?? [], reads: query["reads"],
            colors: query["colors"], images: query["images"],
            strength: Int(query["strength"]?.integer ?? 0), except: query["except"]?.array ?? [],
            distinct: query["distinct"]?.bool ?? false)
        var rows: [TraitValue] = []
        do {
            for try await row in found {
                rows.append(row.body)
                if Int64(rows.count) == given["take"]?.integer { break }
                try await Task.sleep(for: .milliseconds(given["pauseMs"]?.integer ?? 0))
            }
        } catch {
            return failure(error) + [("rows", .integer(Int64(rows.count)))]
        }
        let result: TraitObject = [
            "head": found.head ?? .null, "rows": .array(rows), "end": found.end ?? .null,
        ]
        return [("result", .object(result))]
    }

    private func failure(_ error: any Error) -> [(String, TraitValue?)] {
        guard let error = error as? TraitdError else { return [("fault", "\(error)")] }
        if error.code == "invalid-argument" { return [("refused", .string(error.message))] }
        let status = error.status.map { TraitValue.integer(Int64($0)) } ?? .null
        let message = TraitValue.string(error.message)
        return [("error", ["code": .string(error.code), "status": status, "message": message])]
    }

    private func call(_ command: TraitValue) async throws -> TraitValue {
        guard let session else { return .null }
        let given = command["arguments"]?.object ?? [:]
        let (key, dryRun) = (given["idempotencyKey"]?.string, given["dryRun"]?.bool ?? false)
        let (revision, reason) = (given["ifRevision"]?.integer, given["reason"]?.string)
        let (node, trait) = (given["node"]?.string ?? "", given["trait"]?.string ?? "")
        switch command["name"]?.string {
        case "transaction":
            return try await session.transaction(
                given["operations"]?.array ?? [], ifRevision: revision, dryRun: dryRun,
                idempotencyKey: key, reason: reason
            ).body
        case "setOverride":
            return try await session.setOverride(
                trait, given["value"] ?? .null, at: node, ifRevision: revision, dryRun: dryRun,
                idempotencyKey: key, reason: reason
            ).body
        case "removeOverride":
            return try await session.removeOverride(
                trait, at: node, ifRevision: revision, dryRun: dryRun, idempotencyKey: key,
                reason: reason
            ).body
        case "apply":
            return try await session.apply(
                given["document"] ?? .null, manager: given["manager"]?.string ?? "",
                prune: given["prune"]?.bool ?? false, force: given["force"]?.bool ?? false,
                plan: given["plan"]?.string, dryRun: dryRun, idempotencyKey: key, reason: reason
            ).body
        case "resolve":
            let traits = given["traits"].map { texts($0) }
            let (nodes, under) = (texts(given["nodes"]), given["under"]?.string)
            let changed = given["changed"]?.bool ?? false
            var list = TraitOperations()
            for operation in given["assume"]?.array ?? [] { list.append(operation) }
            let assumed = list
            var assume: (@Sendable (inout TraitOperations) -> Void)?
            if given["assume"] != nil {
                assume = { @Sendable (operations: inout TraitOperations) in operations = assumed }
            }
            let resolution =
                if let under {
                    try await session.resolve(
                        under: under, traits: traits, changed: changed,
                        assume: assume)
                } else {
                    try await session.resolve(
                        nodes: nodes, traits: traits, changed: changed,
                        assume: assume)
                }
            return [
                "revision": .integer(resolution.revision), "values": values(resolution.values),
                "previous": values(resolution.previous),
                "count": resolution.count.map(TraitValue.integer) ?? .null,
            ]
        case "serverRequest":
            return try await client?.request(
                given["method"]?.string ?? "", given["path"]?.string ?? "", body: given["body"],
                reason: reason) ?? .null
        default:
            return try await session.request(
                given["method"]?.string ?? "", given["path"]?.string ?? "", body: given["body"],
                reason: reason)
        }
    }
}
