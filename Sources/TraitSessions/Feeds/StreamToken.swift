// Positions in a session's sequence of commits, and the opaque tokens that stand for them.

/// Continue after `revision`; or, inside it, after its record number `part`.
package struct StreamPosition: Equatable, Sendable {
    package var revision: Int64
    /// nil when the revision was delivered whole.
    package var part: Int?

    package init(revision: Int64, part: Int? = nil) {
        self.revision = revision
        self.part = part
    }

    /// The first revision of which records are still to come.
    var nextRevision: Int64 { part == nil ? revision + 1 : revision }
}

/// `uid.revision`, or `uid.revision.part-filter`: valid on every replica and after a restart.
package struct StreamToken: Equatable {
    package let uid: String
    package let position: StreamPosition
    /// The fingerprint of the filter that numbered the parts.
    let filter: String?

    /// The revision that a session has to have for the token.
    package var revision: Int64 { position.revision }

    var text: String {
        guard let part = position.part, let filter else { return "\(uid).\(position.revision)" }
        return "\(uid).\(position.revision).\(part)-\(filter)"
    }

    init(uid: String, position: StreamPosition, filter: String) {
        self.uid = uid
        self.position = position
        self.filter = position.part == nil ? nil : filter
    }

    /// nil when no token can look like this.
    package init?(_ text: String) {
        let fields = text.split(separator: ".", omittingEmptySubsequences: false)
        guard fields.count == 2 || fields.count == 3, fields[0].utf8.count == 12,
            fields[0].utf8.allSatisfy(Self.isUIDByte),
            let revision = Self.number(fields[1])
        else { return nil }
        uid = String(fields[0])
        guard fields.count == 3 else {
            position = StreamPosition(revision: revision)
            filter = nil
            return
        }
        let parts = fields[2].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let part = Self.number(parts[0]), part <= Int32.max,
            parts[1].utf8.count == 8
        else { return nil }
        position = StreamPosition(revision: revision, part: Int(part))
        filter = String(parts[1])
    }

    private static func isUIDByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Digits only, below 2^53.
    package static func number(_ text: some StringProtocol) -> Int64? {
        guard (1...16).contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let value = Int64(text), value < 1 << 53
        else { return nil }
        return value
    }
}

/// Why a stream ended.
package enum StreamReason: String, CaseIterable, Sendable {
    case sessionDeleted, registrationRemoved, nodeDeleted
    case drain, slowConsumer, timeout, limit, error
    /// The caller's token was removed, was changed, or has expired.
    case revoked

    /// Whether connecting again can continue where this stream ended.
    var isResumable: Bool {
        switch self {
        case .drain, .slowConsumer, .timeout, .limit, .error, .revoked: true
        case .sessionDeleted, .registrationRemoved, .nodeDeleted: false
        }
    }

    /// How long a client should wait before it does.
    var retryMilliseconds: Int64 {
        switch self {
        case .slowConsumer, .limit, .error: 1_000
        default: 0
        }
    }
}
