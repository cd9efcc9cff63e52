// Why a request to etcd failed. The kinds differ in whether the request may have been carried out, and in
// whether sending it again can help.

import SessionLog

package struct EtcdFailure: Error {
    package enum Kind: Equatable {
        /// The request reached no member.
        case notSent
        /// The request may have been carried out, or may still be.
        case unanswered
        /// A member refused the request before it took effect, and may take it later.
        case busy
        /// The token is missing, wrong or too old.
        case unauthenticated
        /// The database has reached etcd's limit.
        case full
        /// etcd does not have the lease any more.
        case leaseLost
        /// The revision that was asked for is compacted.
        case compacted
        /// The user, the certificate or the password is not permitted to do this.
        case denied
        /// The request is wrong, whoever is asked.
        case refused
        /// The log was closed.
        case closed
    }

    package let kind: Kind
    package let reason: String
    /// Whether the request, or an earlier try of it, may have been carried out.
    package let mayHaveHappened: Bool

    package init(_ kind: Kind, _ reason: String, mayHaveHappened: Bool = false) {
        self.kind = kind
        self.reason = reason
        self.mayHaveHappened = mayHaveHappened
    }

    /// The failure that an answer other than 200 tells, by gRPC's codes, which the gateway passes on.
    init(status: Int, code: Int64, message: String) {
        let kind: Kind =
            switch (status, code) {
            // 3.4 answers a request without a token by an invalid argument.
            case (_, 16), (401, _): .unauthenticated
            case (_, 3) where message.contains("user name is empty"): .unauthenticated
            // Users or roles were changed since the token was made, or since a member knows of it.
            case (_, 3) where message.contains("auth store is old"): .unauthenticated
            case (_, 8): message.contains("space") ? .full : .busy
            case (_, 11): message.contains("compacted") ? .compacted : .busy
            case (_, 5) where message.contains("lease"): .leaseLost
            case (_, 7), (403, _): .denied
            // Of the gateway, to a login: a wrong password or user, or users where there are none.
            case _ where Self.loginRefusals.contains { message.contains($0) }: .denied
            case (_, 3), (_, 5), (_, 9), (_, 12), (404, _): .refused
            // Cancelled, unknown, deadline exceeded, internal, unavailable: a proposal may be under way.
            default: .unanswered
            }
        self.init(kind, "etcd answers \(status): \(message)")
    }

    /// The failure that an answer tells whose status is not 200. O(answer).
    package init(status: Int, answer: [UInt8]) {
        self = EtcdAnswer.failure(status: status, answer)
    }

    /// Whether the same request may succeed later or elsewhere.
    var isPassing: Bool {
        switch kind {
        case .notSent, .unanswered, .busy, .unauthenticated: true
        case .full, .leaseLost, .compacted, .refused, .denied, .closed: false
        }
    }

    var logFailure: LogFailure { LogFailure(kind == .denied ? .denied : .unavailable, reason) }

    private static let loginRefusals = [
        "authentication failed", "authentication is not enabled", "user name not found",
    ]
}
