// A client that copies sessions: it exports one from a replica and imports the document piece by piece through another one,
// and the copy says the same.

import Background
import JSONCodec
import SeededRandom
import SessionScripts
import SessionViews
import Simulated
import TraitEngine
import TraitJSON
import TraitSessions

final class Importer {
    private let world: World
    private var random: SeededRandom
    private var copies = 0

    init(_ world: World) {
        self.world = world
        random = SeededRandom(seed: world.options.seed, for: "importer")
    }

    func run() {
        while !world.isEnding {
            Uptime.pause(.microseconds(random.below(600_000)))
            copies += 1
            copy(random.pick(world.names) ?? "", to: "i\(copies)")
        }
    }

    private func copy(_ source: String, to name: String) {
        guard let exported = send({ $0.export(source) }) ?? nil else { return }
        let pieceBytes = 1 + random.below(2_000)
        switch send({ $0.import(exported.document, as: name, pieceBytes) }) ?? .unanswered {
        case .unanswered, .absent: return
        case .done(let uid): check(name, uid, source, exported.digest)
        }
        _ = send { $0.delete(name) }
    }

    private func check(_ name: String, _ uid: String, _ source: String, _ digest: StateDigest) {
        for _ in 0..<2 {
            switch send({ $0.look(name) }) ?? .unanswered {
            case .unanswered: continue
            case .absent: world.found("the copy '\(name)' of '\(source)' is not there")
            case .present(let shown, let read):
                world.tally.add("copies")
                // Later values may have ended.
                guard shown != uid || read.revision == 1 && read.digest.content != digest.content
                else { continue }
                world.found("the copy '\(name)' of '\(source)' has another content")
            }
        }
    }

    private func send<Answer>(_ work: @escaping (Handler) -> Answer) -> Answer? {
        guard let running = random.pick(world.replicas)?.running, running.isReady else {
            return nil
        }
        let exchange = Exchange(world.scheduler, to: running, way: (100_000, 100_000)) {
            [world] in Handler(world, $0).map(work)
        }
        return exchange.wait(until: world.scheduler.nanoseconds + 15_000_000_000) ?? nil
    }
}

extension Handler {
    fileprivate func export(_ name: String) -> (document: [UInt8], digest: StateDigest)? {
        do {
            try confirm([name])
            guard let session = store.find(name) else { return nil }
            let snapshot = try session.withState { state throws(SessionError) in
                try state.snapshot()
            }
            let frozen = try snapshot.session()
            return (try frozen.document(.exchange), frozen.digest)
        } catch {
            world.tally.add("export refused")
            return nil
        }
    }

    fileprivate func `import`(_ document: [UInt8], as name: String, _ pieceBytes: Int) -> Changed {
        var order = DocumentImport.Order()
        order.copyName = name
        let reading = DocumentImport(order, store)
        do {
            var offset = 0
            while offset < document.count {
                let end = min(document.count, offset + pieceBytes)
                try Array(document[offset..<end]).withUnsafeBytes { try reading.feed($0) }
                offset = end
                Uptime.pause(.microseconds(200))
            }
            guard case .created(let session, _, let response) = try reading.finish() else {
                world.found("the import of '\(name)' finds a session")
            }
            guard let response else { return .done(uid: session.uid) }
            if case .released = wait(response, Uptime.monotonic(after: Self.waitMax)) {
                return .done(uid: session.uid)
            }
        } catch let error as SessionError {
            world.tally.add("import refused \(error.code)")
            let passing: [SessionErrorCode] = [
                .logUnavailable, .logRefused, .outcomeUnknown, .storageFull,
            ]
            if !passing.contains(error.code) {
                world.found("the import of '\(name)' is refused: \(error.code), \(error.detail)")
            }
        } catch {
            world.found("the import of '\(name)' fails: \(error)")
        }
        return .unanswered
    }
}
