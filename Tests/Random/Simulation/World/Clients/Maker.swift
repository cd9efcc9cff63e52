// A client that makes a session, writes to it, deletes it, and makes another one of the same name. No other client knows the
// name, so it knows what each answer has to be, until an outcome is unknown: then it takes another name.

import Background
import JSONCodec
import SeededRandom
import SessionViews
import Simulated
import TraitJSON
import TraitSessions

/// What a replica says of a session.
enum Looked {
    case unanswered
    case absent
    case present(uid: String, ReadAnswer)
}

enum Changed {
    case unanswered
    case done(uid: String)
    /// There is no such session.
    case absent
}

final class Maker {
    private let world: World
    private let number: Int
    private var random: SeededRandom
    private var names = 0

    init(_ world: World, _ number: Int) {
        self.world = world
        self.number = number
        random = SeededRandom(seed: world.options.seed, for: "maker \(number)")
    }

    func run() {
        while !world.isEnding {
            names += 1
            var last: String?
            while !world.isEnding, let uid = live("d\(number)-\(names)", after: last) { last = uid }
        }
    }

    /// One session from its creation to its end. Nil when an outcome is unknown.
    private func live(_ name: String, after last: String?) -> String? {
        guard case .done(let uid) = send({ $0.make(name) }) ?? .unanswered else { return nil }
        if uid == last { world.found("'\(name)' was deleted, and made again it is the old one") }
        world.tally.add("sessions made")
        var (revision, value) = (Int64(1), 0)
        for _ in 0..<1 + random.below(5) {
            let next = world.history.makeValue()
            let order = WriteOrder(session: name, nodes: [0], value: next)
            switch send({ $0.write(order) }) {
            case .acknowledged(let shown, _):
                if shown != revision + 1 {
                    world.found(
                        "'\(name)' was at \(revision), and its next write is revision \(shown)")
                }
                (revision, value) = (shown, next)
            case .refused(.unknownSession), .unchanged:
                world.found("'\(name)' of \(uid) is gone for a write behind revision \(revision)")
            case .refused: continue
            case .unknown, .inFlight, nil: return nil
            }
            check(name, uid, revision, value)
        }
        check(name, uid, revision, value)
        switch send({ $0.delete(name) }) ?? .unanswered {
        case .unanswered: return nil
        case .absent: world.tally.add("sessions gone at their end")
        case .done: world.tally.add("sessions deleted")
        }
        for inList in [true, false] {
            let looked = send { $0.look(name, inList: inList) } ?? .unanswered
            if case .present(let shown, let read) = looked {
                world.found(
                    "'\(name)' of \(uid) is deleted, and a read shows \(shown) at \(read.revision)")
            }
        }
        return uid
    }

    private func check(_ name: String, _ uid: String, _ revision: Int64, _ value: Int) {
        let inList = random.chance(30)
        switch send({ $0.look(name, inList: inList) }) ?? .unanswered {
        case .unanswered: break
        case .absent: world.found("'\(name)' of \(uid) is not found at revision \(revision)")
        case .present(let shown, let read):
            guard shown == uid, read.revision == revision, read.values[0].first == value else {
                world.found(
                    "'\(name)' of \(uid) has \(value) at \(revision), and is shown as \(shown) with \(read.values[0]) at \(read.revision)"
                )
            }
        }
    }

    private func send<Answer>(_ work: @escaping (Handler) -> Answer) -> Answer? {
        // What other replicas have told is on its way where a request follows at once.
        Uptime.pause(.microseconds(random.below(random.chance(50) ? 500 : 60_000)))
        while !world.isOver {
            let replica = world.replicas[random.below(world.replicas.count)]
            guard let running = replica.running, running.isReady else {
                Uptime.pause(.milliseconds(5))
                continue
            }
            let exchange = Exchange(world.scheduler, to: running, way: (100_000, 100_000)) {
                [world] in Handler(world, $0).map(work)
            }
            return exchange.wait(until: world.scheduler.nanoseconds + 15_000_000_000) ?? nil
        }
        return nil
    }
}

extension Handler {
    private static let body =
        #"{"traits":{"w":{"type":"int","default":0}},"nodes":[{"id":"n0","kind":"environment"}]}"#

    /// As the service does it: what is found, or refused, is looked at again when it is confirmed.
    fileprivate func make(_ name: String) -> Changed {
        let deadline = Uptime.monotonic(after: Self.waitMax)
        var isConfirmed = false
        while Uptime.monotonic < deadline {
            do throws(SessionError) {
                var order = SessionCreation.Order()
                order.name = name
                let body = isConfirmed ? "{}" : Self.body
                let created = try withDocument(store.find(name) == nil ? Self.body : body) {
                    json throws(SessionError) -> CreatedSession in
                    let creation = SessionCreation(order, store)
                    while true { if let made = try creation.step(json) { return made } }
                }
                switch created {
                case .found(let session):
                    if isConfirmed { return .done(uid: session.uid) }
                case .created(let session, _, let response):
                    guard let response else { return .done(uid: session.uid) }
                    switch wait(response, deadline) {
                    case .released: return .done(uid: session.uid)
                    case .readAgain: continue
                    case .refused, .pending: return .unanswered
                    }
                }
                try confirm([name], list: true, until: deadline)
                isConfirmed = true
            } catch {
                if isConfirmed || error.code != .exists { return .unanswered }
                do throws(SessionError) {
                    try confirm([name], list: true, until: deadline)
                } catch {
                    return .unanswered
                }
                isConfirmed = true
            }
        }
        return .unanswered
    }

    func delete(_ name: String) -> Changed {
        let deadline = Uptime.monotonic(after: Self.waitMax)
        var isConfirmed = false
        while Uptime.monotonic < deadline {
            do throws(SessionError) {
                guard let session = store.find(name) else {
                    if isConfirmed { return .absent }
                    try confirm([name], until: deadline)
                    isConfirmed = true
                    continue
                }
                var wakes = WakeList()
                var body = JSONWriter()
                let options = CommitOptions()
                let result = try session.delete(
                    options, text: TextBuffer(), body: &body, wakes: &wakes)
                wakes.wake()
                let response: PendingResponse
                switch result {
                case .done: return .done(uid: session.uid)
                case .held(_, _, let held), .pending(let held): response = held
                case .mustWait, .takesLong: response = session.queueEnd(options)
                }
                switch wait(response, deadline) {
                case .released: return .done(uid: session.uid)
                case .readAgain: continue
                case .refused, .pending: return .unanswered
                }
            } catch {
                return .unanswered
            }
        }
        return .unanswered
    }

    /// - Parameter inList: whether all sessions are asked for.
    func look(_ name: String, inList: Bool = false) -> Looked {
        let deadline = Uptime.monotonic(after: Self.waitMax)
        do throws(SessionError) {
            try confirm(inList ? [] : [name], all: inList, until: deadline)
        } catch {
            return .unanswered
        }
        while Uptime.monotonic < deadline {
            guard let session = store.find(name) else { return .absent }
            if session.withStateIfFree({ $0.isDeleted }) ?? false { return .absent }
            switch read(session) {
            case .answer(let answer, nil): return .present(uid: session.uid, answer)
            case .answer(let answer, let response?):
                switch wait(response, deadline) {
                case .released: return .present(uid: session.uid, answer)
                case .readAgain: continue
                case .refused, .pending: return .unanswered
                }
            case .wait(let response): _ = wait(response, deadline)
            }
        }
        return .unanswered
    }
}
