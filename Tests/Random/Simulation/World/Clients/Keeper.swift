// A client that keeps a registration with a `ttl`: it sends the same registration again and again, or follows its stream
// for a while, through any replica, and the registration does not end.

import Background
import SeededRandom
import Simulated
import TraitSessions

final class Keeper {
    static let registrations = ["kept", "kept-1", "kept-2", "kept-3"]
    private static let ttl = 4

    private let world: World
    private let registration: String
    private let order: WriteOrder
    private var random: SeededRandom
    /// When the newest request began that has renewed the registration, in the scheduler's time; nil for none.
    private var renewedAt: UInt64?

    init(_ world: World, _ registration: String, in session: String) {
        (self.world, self.registration) = (world, registration)
        order = WriteOrder(
            session: session, kind: .keep(registration, ttl: Self.ttl), nodes: [0],
            value: 0)
        let number = registration.dropFirst(4)
        random = SeededRandom(seed: world.options.seed, for: "keeper of \(session)\(number)")
    }

    func run() {
        while !world.isEnding {
            Uptime.pause(.milliseconds(100 + random.below(world.isOfLeases ? 3_000 : 700)))
            let replica = world.replicas[random.below(world.replicas.count)]
            guard let running = replica.running, running.isReady else { continue }
            if random.chance(20) {
                follow(running, for: UInt64(random.below(1_500)) * 1_000_000)
                continue
            }
            let began = world.scheduler.now
            let exchange = Exchange(world.scheduler, to: running, way: (100_000, 100_000)) {
                [world, order] in Handler(world, $0)?.write(order)
            }
            let answer = exchange.wait(until: world.scheduler.nanoseconds + 2_000_000_000)
            switch answer ?? nil {
            case .unchanged: world.tally.add("renewals")
            case .acknowledged(let revision, _): check(revision)
            default: continue
            }
            renewedAt = began
        }
    }

    /// What the stream says is not looked at.
    private func follow(_ running: RunningReplica, for nanoseconds: UInt64) {
        var options = StreamOptions(format: .ndjson, from: "now")
        options.wantsState = false
        let connection = StreamConnection(
            StreamRequest(
                session: order.session, options: options, registrations: [registration]))
        world.scheduler.start("keeper's stream", in: running.process) { [world] in
            if let handler = Handler(world, running) { connection.serve(handler) }
        }
        _ = world.scheduler.wait(until: world.scheduler.nanoseconds + nanoseconds) {
            connection.isEnded || world.isEnding || running.process.isKilled
        }
        connection.isClosed = true
        world.tally.add("kept by streams")
    }

    /// The registration was made anew, so it had ended before.
    private func check(_ revision: Int64) {
        guard let renewedAt, world.scheduler.now - renewedAt < UInt64(Self.ttl) * 1_000_000_000
        else { return }
        world.found(
            "the registration \(registration) of '\(order.session)' that is made anew as revision \(revision) was renewed at \(renewedAt)"
        )
    }
}
