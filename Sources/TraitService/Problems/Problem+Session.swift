// A session's error as an HTTP problem. The hint becomes the request that would help. An error that is 404 for
// a name in the path is 422 for a name in a body or a query.

import SessionViews
import TraitJSON
import TraitSessions

extension Problem {
    package init(_ error: SessionError) {
        // A test compares the two lists, so no code of a session is without one here.
        let code = ProblemCode(rawValue: error.code.rawValue) ?? .internalError
        let help = error.hint.map { " " + Self.text($0) } ?? ""
        self.init(
            code, error.detail + help, pointer: error.pointer, didYouMean: error.didYouMean)
        if error.isInside { status = 422 }
        others = error.others.map { Problem($0) }
        members = error.facts
        seenAt = error.seenAt
    }

    private static func text(_ hint: SessionError.Hint) -> String {
        switch hint {
        case .createSession(let name): "PUT /v1/sessions/\(name) creates it."
        case .createNode(let name): "PUT …/nodes/\(name) creates it."
        case .changeNode(let name): "PATCH or PUT …/nodes/\(name) changes it."
        case .listTraits(let session):
            "GET /v1/sessions/\(session)/traits lists them; PUT defines one."
        case .listSystemTraits:
            "GET /v1/traits lists the system's; define custom ones in `traits`."
        case .listDevices: "GET /v1/devices lists them."
        case .defineDynamic(let member): "PUT …/\(member)/… defines one."
        case .defineEnvironmentKey: "PUT …/environmentKeys/… defines one."
        case .readTrait(let node, let trait):
            "GET …/nodes/\(node)/traits/\(trait) gives the value it inherits."
        case .setScope(let method): "PUT …/scopes/\(method) says what it read."
        }
    }
}
