// The rules of `SessionLog`, for every log alike. A test target runs each rule against each kind of
// log:
//
//     @Test("Every log keeps the rules", arguments: kinds, SessionLogConformance.rules)
//     func conformance(kind: Kind, rule: SessionLogConformance.Rule) throws {
//         try rule.check(SessionLogConformance { try kind.makeLog() })
//     }

import SessionLog
import Testing

package struct SessionLogConformance {
    /// One rule, with a sentence for a name.
    package struct Rule: Sendable, CustomTestStringConvertible {
        package let name: String
        package let check: @Sendable (SessionLogConformance) throws -> Void

        init(
            _ name: String, _ check: @escaping @Sendable (SessionLogConformance) throws -> Void
        ) {
            self.name = name
            self.check = check
        }

        package var testDescription: String { name }
    }

    /// Makes an empty log.
    package let makeLog: () throws -> any SessionLog

    package init(_ makeLog: @escaping () throws -> any SessionLog) {
        self.makeLog = makeLog
    }

    package static let rules: [Rule] =
        appending + refusals + lifetimes + reading + snapshots + following + confirming + leases

    static let mail = LogSession(name: "mail", uid: "abcdefghijkl")
    /// A session that wants the name of `mail`.
    static let otherMail = LogSession(name: "mail", uid: "lkjihgfedcba")
    static let notes = LogSession(name: "notes", uid: "mmmmmmmmmmmm")

    /// A log in which `mail` has so many revisions, and its writer.
    func logOfMail(_ count: Int) throws -> (any SessionLog, ChainWriter) {
        let log = try makeLog()
        var writer = ChainWriter(Self.mail)
        if count > 0 { try #require(writer.append(count, to: log) == .appended) }
        return (log, writer)
    }

    static func revisions(
        _ log: any SessionLog, of session: LogSession = mail, after revision: Int64 = 0,
        limit: Int = .max
    ) throws -> [Int64] {
        try log.tail(of: session, after: revision, limit: limit).map(\.revision)
    }

    /// What `call` throws, which has to be a failure of the log.
    static func failure(
        _ call: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> LogFailure.Kind {
        let failure = #expect(
            throws: LogFailure.self, sourceLocation: sourceLocation, performing: call)
        return try #require(failure, sourceLocation: sourceLocation).kind
    }
}

extension AppendResult {
    var isRefused: Bool {
        if case .refused = self { true } else { false }
    }
}
