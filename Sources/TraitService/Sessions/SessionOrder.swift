// A request to make a session or to find it, apart from the connection that it came on: the work
// may be done elsewhere.

import HTTPServer
import JSONCodec
import TraitEngine

/// What `PUT` and `POST` of sessions ask for beside the body.
struct SessionOrder: Sendable {
    /// From the path of a `PUT`, which finds a session that is there; nil for a `POST`.
    let name: String?
    /// `If-None-Match: *`.
    var wantsNew = false
    /// `If-Match`, which no session that is to be made can meet.
    var wantsExisting = false
    var options = CommitOptions()

    /// A session that is there and agrees, or one that is to be made.
    enum Beginning {
        case found(Session)
        case making(SessionMaking)
    }

    /// - Throws: what the body or the session that is there forbids.
    func begin(
        _ json: JSONValue, in registry: SessionRegistry, text: TextBuffer
    ) throws(Problem) -> Beginning {
        let body = try SessionBody(json, limits: registry.limits)
        let given = try body.name()
        if let name { try ObjectReader.check(given, "name", agreesWith: name) }
        let name = self.name ?? given ?? registry.environment.name(length: 12)
        if let present = registry.find(name) {
            try check(present, body)
            return .found(present)
        }
        if wantsExisting {
            throw Problem(
                .unknownSession, "There is no session '\(name)' that If-Match could meet.")
        }
        return .making(try SessionMaking(name, body, in: registry, options, text: text))
    }

    /// Whether the session that is there is the one that is asked for.
    private func check(_ session: Session, _ body: SessionBody) throws(Problem) {
        guard name != nil else { throw .exists(session.name) }
        if wantsNew {
            throw Problem(
                .revisionMismatch,
                "There is a session '\(session.name)' already, and If-None-Match: * asks for a new one."
            ).with("currentRevision", session.locked { session.head })
        }
        if body.hasContent { throw .exists(session.name) }
        let present = session.configuration
        guard body.agrees(with: present) else {
            throw Problem(
                .sessionDiffers,
                "The session '\(session.name)' exists with propagation \(present.propagation.rawValue), updates \(present.updates.rawValue) and other settings than the body's. Leave them out, or delete it first."
            )
        }
    }
}

/// What came of an order.
enum OrderedSession: Sendable {
    case found(Session)
    case made(Session, body: [UInt8], hold: WaitingAnswer?)
}

/// An order that is carried out in steps.
///
/// `@unchecked Sendable`: one step at a time, and none after the last.
final class SessionOrderWork: @unchecked Sendable {
    private let order: SessionOrder
    private let registry: SessionRegistry
    private let text: TextBuffer
    private var making: SessionMaking?

    init(_ order: SessionOrder, _ registry: SessionRegistry, text: TextBuffer = TextBuffer()) {
        self.order = order
        self.registry = registry
        self.text = text
    }

    /// Nodes made in one step: about a millisecond of work.
    private static let nodesAtATime = 1_000

    /// Takes one step. Returns nil while there is more to do.
    ///
    /// - Parameter json: the same body in every step.
    func step(_ json: JSONValue) throws(Problem) -> OrderedSession? {
        guard var making else {
            switch try order.begin(json, in: registry, text: text) {
            case .found(let session): return .found(session)
            case .making(let making):
                self.making = making
                return nil
            }
        }
        self.making = nil
        if try making.fill(limit: Self.nodesAtATime) {
            self.making = making
            return nil
        }
        return try finish(making, json)
    }

    private func finish(
        _ making: SessionMaking, _ json: JSONValue
    ) throws(Problem) -> OrderedSession {
        var body = JSONWriter()
        do throws(Problem) {
            let hold = try making.finish { session in
                session.write(isDryRun: order.options.dryRun, into: &body)
                body.newline()
            }
            return .made(making.session, body: body.array(), hold: hold)
        } catch {
            // Somebody else made it since we looked.
            if error.code == .exists,
                case .found(let session) = try order.begin(
                    json, in: registry, text: text)
            {
                return .found(session)
            }
            throw error
        }
    }
}
