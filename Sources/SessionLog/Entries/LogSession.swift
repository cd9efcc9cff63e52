// The identity of a session in a log. A name alone would not distinguish a session from its
// successor.

/// The name and uid of a session. A name may be used again, a uid never is.
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

    /// Hashes the uid only. The uid is unique, so hashing the name would only add cost.
    package func hash(into hasher: inout Hasher) { hasher.combine(uidHash) }
}
