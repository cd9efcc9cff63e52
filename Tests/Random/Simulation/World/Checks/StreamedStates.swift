// The states of the sessions whose streams are compared with a model, as the log has them.

import JSONCodec
import SessionLog
import SessionScripts
import TraitJSON

final class StreamedStates {
    private let world: World
    private var states: [String: [StreamWorld]] = [:]
    private var operations = 0

    init(_ world: World) { self.world = world }

    /// The state of the newest revision that the log has told of with all before.
    func newest(_ session: String) -> StreamWorld { all(session).last ?? StreamWorld() }

    /// The state of each revision; the first one is empty.
    func all(_ session: String) -> [StreamWorld] {
        var known = states[session] ?? [StreamWorld()]
        let entries = world.entries.byName[session] ?? []
        while known.count <= entries.count, let entry = entries[known.count - 1] {
            known.append(follow(entry, known[known.count - 1], of: session))
        }
        states[session] = known
        return known
    }

    private func follow(
        _ entry: LogEntry, _ before: StreamWorld, of session: String
    ) -> StreamWorld {
        var state = before
        do throws(JSONError) {
            try entry.payload.withUnsafeBufferPointer { (bytes) throws(JSONError) in
                try JSONTape(hashSeed: 0).withDocument(UnsafeRawBufferPointer(bytes)) { root in
                    for operation in root.member("operations")?.elements.map(\.self) ?? [] {
                        operations += 1
                        if state.follow(operation, operations) { continue }
                        world.found(
                            "the model of '\(session)' does not know \(String(decoding: operation.rawBytes, as: UTF8.self))"
                        )
                    }
                }
            }
        } catch {
            world.found("revision \(entry.revision) of '\(session)' is no JSON: \(error)")
        }
        return state
    }
}
