// How a log tells sessions apart: a name alone would confuse a session with its successor.

/// A session as its log knows it: the name may be given again, the uid never is.
package struct LogSession: Hashable, Sendable {
    package let name: String
    package let uid: String
    /// The uid's hash, taken once: every append looks its session up.
    private let uidHash: Int

    package init(name: String, uid: String) {
        self.name = name
        self.uid = uid
        uidHash = uid.hashValue
    }

    package static func == (left: LogSession, right: LogSession) -> Bool {
        left.uid == right.uid && left.name == right.name
    }

    /// Hashes the uid only: it tells sessions apart, so hashing the name would add cost alone.
    package func hash(into hasher: inout Hasher) { hasher.combine(uidHash) }
}
