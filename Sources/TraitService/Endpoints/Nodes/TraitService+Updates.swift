// Update passes on request. Each is a commit of its own, which carries what it changed.

import JSONCodec
import TraitEngine
import TraitJSON
import TraitSessions

extension TraitService {
    /// `POST …/layout`: brings everything attached up to date.
    func layout(_ request: Request) throws(Problem) {
        try request.withoutMembers { () throws(SessionError) in
            try write(request, .layout)
        }
    }

    /// `POST …/nodes/{node}/updateTraitsIfNeeded`: brings a node and its subtree up to date.
    func updateTraitsIfNeeded(_ request: Request) throws(Problem) {
        try request.withoutMembers { () throws(SessionError) in
            try write(
                request, .updateTraitsIfNeeded(Reference(request.context.secondParameter)))
        }
    }
}

extension Request {
    /// For an operation that needs no body: an empty object is as good as none.
    fileprivate func withoutMembers(_ run: () throws(SessionError) -> Void) throws(Problem) {
        try withBody(optional: "{}") { json throws(SessionError) in
            _ = try ObjectReader(json, "an update", members: [])
            try run()
        }
    }
}
