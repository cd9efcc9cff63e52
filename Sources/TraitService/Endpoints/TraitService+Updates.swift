// Update passes on request. Each is a commit of its own, which carries what it changed.

import JSONCodec
import TraitEngine

extension TraitService {
    /// `POST …/layout`: brings everything attached up to date.
    func layout(_ request: Request) throws(Problem) {
        try request.withoutMembers { () throws(Problem) in
            try writing(request) { $0.layout() }
        }
    }

    /// `POST …/nodes/{node}/updateTraitsIfNeeded`: brings a node and its subtree up to date.
    func updateTraitsIfNeeded(_ request: Request) throws(Problem) {
        try request.withoutMembers { () throws(Problem) in
            try writing(request) { transaction throws(Problem) in
                let node = try transaction.session.node(request.context.secondParameter)
                transaction.updateTraitsIfNeeded(node)
            }
        }
    }
}

extension Request {
    /// For an operation that needs no body: an empty object is as good as none.
    fileprivate func withoutMembers(_ run: () throws(Problem) -> Void) throws(Problem) {
        try withBody(optional: "{}") { json throws(Problem) in
            _ = try ObjectReader(json, "an update", members: [])
            try run()
        }
    }
}
