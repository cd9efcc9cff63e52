// A session while it is made: filled a slice at a time, and known to nobody until it is complete,
// so that nobody ever waits for its lock.

import JSONCodec
import TraitEngine

/// One session, from its body to its place among the others.
struct SessionMaking {
    let session: Session
    private let registry: SessionRegistry
    private let options: CommitOptions
    private var transaction: Transaction
    private var nodes: JSONElements?
    private var position = 0

    /// Defines the traits of the body, which must outlive this.
    ///
    /// - Parameter text: where the operations are written down.
    /// - Throws: `quota`; what the definitions are refused for.
    init(
        _ name: String, _ body: SessionBody, in registry: SessionRegistry,
        _ options: CommitOptions, text: TextBuffer
    ) throws(Problem) {
        try registry.checkRoom()
        session = Session(
            name: name, configuration: body.configuration, limits: registry.limits,
            environment: registry.environment, log: registry.log)
        // Weak: the registry holds the session, and would not go as long as one is left in it.
        session.onLost = { [weak registry] in registry?.remove($0) }
        self.registry = registry
        self.options = options
        nodes = try body.nodes()
        transaction = session.open(text)
        try body.define(&transaction)
    }

    /// Creates the next nodes, at most `limit`. Returns whether there are more.
    ///
    /// - Throws: what a node is refused for, pointing into the body. Then it all comes to nothing.
    mutating func fill(limit: Int) throws(Problem) -> Bool {
        var count = 0
        while count < limit, let json = nodes?.next() {
            do throws(Problem) {
                let body = try NodeBody(json)
                let id = try body.requiredIdentifier()
                try transaction.createNode(id, try body.description(in: transaction))
            } catch {
                throw error.pointingAtIdentifier("/id").prefixed("/nodes/\(position)")
            }
            transaction.dropTextThatNobodyKeeps()
            position += 1
            count += 1
        }
        return count == limit
    }

    /// Commits, and puts the session among the others unless it is a dry run.
    ///
    /// - Parameter describe: called when nothing can go wrong any more.
    /// - Returns: what the answer has to wait for.
    /// - Throws: `exists`, `quota`, what the log says. Then there is no such session.
    func finish(describe: (Session) -> Void) throws(Problem) -> WaitingAnswer? {
        // Nobody listens to it yet.
        var wakes = WakeList()
        return try session.locked { () throws(Problem) in
            do throws(Problem) {
                _ = try session.complete(
                    transaction, options, wakes: &wakes, describe: { _ in describe(session) },
                    admit: { () throws(Problem) in
                        if try registry.insert(session) != nil { throw .exists(session.name) }
                    })
                // Before the lock is free: later the log may have decided already.
                return session.hold(until: session.head)
            } catch {
                session.isDeleted = true
                registry.remove(session)
                throw error
            }
        }
    }
}

extension Problem {
    /// There is a session of that name.
    static func exists(_ name: String) -> Problem {
        Problem(
            .exists,
            "There is a session '\(name)' already. Use it, delete it, or take another name.")
    }
}
