// A client: writes and reads, one after another, through any replica. Some give up, send again with the same key through
// another replica, or write equal operations through two at once.

import Background
import SeededRandom
import SessionScripts
import Simulated

final class Client {
    private let world: World
    private let number: Int
    private var random: SeededRandom
    /// The longest rest between two requests, in microseconds.
    private let restMax: Int
    private var script: StreamScript

    init(_ world: World, _ number: Int) {
        self.world = world
        self.number = number
        random = SeededRandom(seed: world.options.seed, for: "client \(number)")
        script = StreamScript(SeededRandom(seed: world.options.seed, for: "operations \(number)"))
        restMax = [200, 5_000, 40_000, 200_000][random.below(4)]
    }

    func run() {
        while !world.isEnding {
            let session = random.pick(world.sessions) ?? ""
            if let script = random.pick(world.scripted), random.chance(6) {
                write(order(ofScriptIn: script.name), attemptsMax: 1)
                random.chance(50) ? read(script.name) : readPast(script.name)
            }
            if let model = world.modelled, random.chance(15) {
                if let order = order(ofModelIn: model) { write(order, attemptsMax: 4) }
            }
            switch random.below(100) {
            case ..<52: write(order(in: session), attemptsMax: random.chance(85) ? 8 : 1)
            case ..<81: read(session)
            case ..<84: readLocally(session)
            case ..<87: readPast(session)
            case ..<90: readTime(session)
            case ..<97: writeTwice(order(in: session))
            default: rest(random.below(500_000))
            }
            rest(random.below(restMax))
        }
    }

    /// A write when no fault is left. It has no end, as with that the server would look for ends of others, too.
    func writeHealed() {
        var order = order(in: random.pick(world.sessions) ?? "")
        order.kind = .values
        order.isLong = random.chance(50)
        rest(random.below(5_000))
        if !write(order, attemptsMax: 1) {
            world.found("write \(order.value) of '\(order.session)' is not answered after healing")
        }
    }

    private func rest(_ microseconds: Int) { Uptime.pause(.microseconds(microseconds)) }

    private func order(in session: String) -> WriteOrder {
        let first = random.below(World.nodeCount)
        var nodes = [first]
        if random.chance(40) {
            nodes.append((first + 1 + random.below(World.nodeCount - 1)) % World.nodeCount)
        }
        let value = world.history.makeValue()
        var order = WriteOrder(session: session, nodes: nodes, value: value)
        switch random.below(100) {
        case ..<8: order.kind = .temporary(ttl: 1 + random.below(4))
        case ..<12:
            order = WriteOrder(
                session: session, kind: .register("r\(random.below(4))", ttl: 1 + random.below(3)),
                nodes: [first], value: value)
        case ..<14:
            let oldest = max(1, world.history.floor(session) - Int64(random.below(40)))
            order.kind = .revert(to: oldest)
        default: break
        }
        order.isLong = random.chance(3)
        if random.chance(70) { order.key = "k\(value)" }
        if random.chance(10) { order.ifRevision = world.history.floor(session) }
        return order
    }

    private func order(ofScriptIn session: String) -> WriteOrder {
        let value = world.history.makeValue()
        return WriteOrder(session: session, kind: .script(random.next()), nodes: [], value: value)
    }

    private func order(ofModelIn session: String) -> WriteOrder? {
        let states = world.models.all(session)
        let (operations, _) = script.transaction(states[states.count - 1])
        if operations.isEmpty { return nil }
        let value = world.history.makeValue()
        var order = WriteOrder(
            session: session, kind: .operations(operations), nodes: [], value: value)
        order.key = "k\(value)"
        // The model cannot express what some operations mean elsewhere.
        if operations.contains(where: { !$0.contains("Override") }) {
            order.ifRevision = Int64(states.count) - 1
        }
        return order
    }

    /// When the client gives a request up.
    private func deadline() -> UInt64 {
        let isPatient = world.isEnding || !random.chance(8)
        let patience = isPatient ? 15_000 : 20 + random.below(500)
        return world.scheduler.nanoseconds + UInt64(patience) * 1_000_000
    }

    private func send<Answer>(
        to replica: Int, _ work: @escaping (Handler) -> Answer
    ) -> Exchange<Answer>? {
        let way = (UInt64(50_000 + random.below(300_000)), UInt64(50_000 + random.below(300_000)))
        guard let running = world.replicas[replica].running, running.isReady else { return nil }
        return Exchange(world.scheduler, to: running, way: way) { [world] running in
            guard let handler = Handler(world, running) else {
                preconditionFailure("a replica that was ready is so until its end")
            }
            return work(handler)
        }
    }

    // MARK: - Requests

    private func read(_ session: String) {
        let floor = world.history.floor(session)
        let replica = random.below(world.replicas.count)
        let until = deadline()
        guard let answer = send(to: replica, { $0.read(session) })?.wait(until: until) else {
            return rest(1_000)
        }
        guard let answer else { return world.tally.add("read unanswered") }
        world.history.read(session, answer, since: floor, at: replica)
    }

    private func readLocally(_ session: String) {
        let replica = random.below(world.replicas.count)
        let until = deadline()
        let exchange = send(to: replica) { $0.readLocally(session) }
        guard let (answer, time) = exchange?.wait(until: until) ?? nil else { return }
        world.history.readLocally(session, answer, knownAt: time, at: replica)
    }

    private func readPast(_ session: String) {
        let revision = 1 + Int64(random.below(Int(max(1, world.history.floor(session)))))
        let replica = random.below(world.replicas.count)
        let until = deadline()
        let exchange = send(to: replica) { $0.readPast(session, at: .revision(revision)) }
        guard let answer = exchange?.wait(until: until) ?? nil else {
            return world.tally.add("past unanswered")
        }
        world.history.readPast(session, answer, at: replica)
    }

    /// Reads what a session was some seconds ago.
    private func readTime(_ session: String) {
        let time = world.earliestWallMilliseconds - Int64(random.below(6_000))
        let floor = world.history.floor(session)
        let replica = random.below(world.replicas.count)
        let until = deadline()
        let exchange = send(to: replica) { $0.readPast(session, at: .time(time)) }
        guard let answer = exchange?.wait(until: until) ?? nil else { return }
        world.history.readPast(session, answer, at: replica)
        world.history.note(session, answer.revision, at: time, since: floor)
    }

    /// Returns whether the outcome is known.
    @discardableResult private func write(_ order: WriteOrder, attemptsMax: Int) -> Bool {
        let history = world.history
        history.begin(order)
        let floor = history.floor(order.session)
        var (isSent, isUnknown) = (false, false)
        for _ in 0..<attemptsMax {
            // Without a key it may be sent again only when no replica has it.
            if isSent, order.key == nil { break }
            if world.isOver { break }
            let replica = random.below(world.replicas.count)
            let until = deadline()
            guard let exchange = send(to: replica, { $0.write(order) }) else {
                rest(20_000)
                continue
            }
            isSent = true
            switch exchange.wait(until: until) {
            case .acknowledged(let revision, let isRepeated):
                history.acknowledge(
                    order.value, revision, since: floor, isRepeated: isRepeated)
                return true
            case .unchanged(let revision):
                history.unchanged(order.value, revision, since: floor)
                return true
            case .refused(let code):
                // An attempt before may still be carried out.
                if !isUnknown { history.refuse(order.value, code) }
                return true
            case .inFlight: rest(50_000)
            case .unknown, nil: isUnknown = true
            }
        }
        world.tally.add(isSent ? "write unknown" : "write not sent")
        if !isSent { history.refuse(order.value, .logUnavailable) }
        return false
    }

    /// Equal operations through two replicas at once, without a key.
    private func writeTwice(_ order: WriteOrder) {
        var order = order
        order.key = nil
        order.ifRevision = nil
        let history = world.history
        history.begin(order, copies: 2)
        let floor = history.floor(order.session)
        let first = random.below(world.replicas.count)
        let until = deadline()
        let exchanges = [first, (first + 1) % world.replicas.count].map { replica in
            send(to: replica) { $0.write(order) }
        }
        for exchange in exchanges {
            guard let exchange else {
                history.refuse(order.value, .logUnavailable)
                continue
            }
            switch exchange.wait(until: until) {
            case .acknowledged(let revision, _):
                history.acknowledge(order.value, revision, since: floor, isRepeated: false)
            case .unchanged(let revision):
                history.unchanged(order.value, revision, since: floor)
            case .refused(let code): history.refuse(order.value, code)
            case .inFlight, .unknown, nil: world.tally.add("write unknown")
            }
        }
        world.tally.add("written twice")
    }
}
