// Stores over one log, as processes would have them, and what tests ask of their sessions.

import Dispatch
import JSONCodec
import SessionLog
import SessionScripts
import Synchronization
import Testing
import Waiting

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

/// One process: a store with its own clock, and a client of it. Confined to one thread at a time.
final class Process: @unchecked Sendable {
    let store: SessionStore
    let client: Client
    let clock = Clock()

    init(
        _ log: (any SessionLog)? = nil, seed: UInt64, limits: ServiceLimits = .quiet,
        refusing refusals: [String: Int64] = [:]
    ) {
        store = SessionStore(
            limits: limits, environment: clock.environment(seed: seed), log: log,
            refusing: refusals)
        client = Client(store)
    }

    /// The session of that name, made or found.
    func session(_ name: String = "demo", _ body: String = "{}") throws -> Session {
        try client.create(name, body)
    }

    @discardableResult
    func commit(_ operations: String, _ session: Session, ifRevision: Int64? = nil) throws
        -> CommitOutcome
    {
        try #require(
            try client.transaction("[\(operations)]", to: session, ifRevision: ifRevision))
    }

    /// A write that the log has not answered yet.
    func start(_ operations: String..., to session: Session) throws -> PendingResponse {
        try start(Write(.transaction(operations)), to: session)
    }

    func start(_ write: Write, to session: Session) throws -> PendingResponse {
        switch client.send(write, to: session) {
        case .pending(let response): return response
        case .refused(let error): throw error
        case .done: throw Differs("the write did not wait for the log")
        }
    }

    /// Ends the session.
    func delete(_ session: Session) throws -> Bool { try client.delete(session) }
}

extension ServiceLimits {
    /// No heartbeat comes in between.
    static let quiet: ServiceLimits = {
        var limits = ServiceLimits()
        limits.heartbeatMilliseconds = 1 << 40
        limits.streamLifetimeMilliseconds = 1 << 41
        return limits
    }()
}

extension Session {
    var logged: LogSession { LogSession(name: name, uid: uid) }

    /// What the log rebuilds.
    func replica(_ log: any SessionLog) throws -> Session {
        try Session.load(
            logged, from: log, limits: .quiet,
            environment: Clock().environment(seed: 9))
    }

    func has(_ node: String) -> Bool { withState { $0.hierarchy.node(node) != nil } }

    /// The override of `level` at `n1`.
    var level: Int? {
        withState { state in
            let hierarchy = state.hierarchy
            guard let node = hierarchy.node("n1"),
                let trait = hierarchy.definitions.index(of: "level"),
                case .int(let value) = hierarchy.value(of: trait, at: node)
            else { return nil }
            return Int(value)
        }
    }

    func label(of registration: String) -> String? {
        withState { state in
            state.hierarchy.registration(named: registration)
                .flatMap { state.note(of: state.hierarchy.registrationInfo($0)) }?.label
        }
    }
}

/// Waits for what another thread does.
func eventually(_ condition: () -> Bool) throws {
    let deadline = Deadline(within: .seconds(20))
    // A thread that asks all the time takes the processor from the one that is waited for.
    let pause = DispatchSemaphore(value: 0)
    while !condition() {
        if deadline.hasPassed { throw TimedOut("another thread") }
        _ = pause.wait(timeout: .now() + .milliseconds(1))
    }
}

func isReleased(_ decision: PendingResponse.Decision) -> Bool {
    if case .released = decision { true } else { false }
}

func isReadAgain(_ decision: PendingResponse.Decision) -> Bool {
    if case .readAgain = decision { true } else { false }
}

func refusal(_ decision: PendingResponse.Decision) -> SessionErrorCode? {
    if case .refused(let error) = decision { error.code } else { nil }
}
