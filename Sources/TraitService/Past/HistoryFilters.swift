// The filters of the history: by what changed, who changed it, why and when.

import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

/// The filters of a request for the history.
struct HistoryFilters {
    var node: String?
    var trait: String?
    var causes = CauseFilter()
    var since: PastTarget?
    var until: PastTarget?
    /// The node and the trait of a resolved value, which the commits have to change.
    var resolved: (node: String, trait: String)?

    private static let parameters = QueryParameterSet([
        .node, .trait, .resolved, .caller, .manager, .reason, .since, .until, .kind,
    ])

    /// - Throws: `malformedParameter`.
    init(_ request: Request) throws(Problem) {
        let query = request.context.query
        guard query.given.intersects(Self.parameters) else { return }
        node = try request.queriedIdentifier(.node)
        trait = try request.queriedIdentifier(.trait)
        causes.caller = try query.string(.caller)
        causes.manager = try query.string(.manager)
        causes.reason = try query.string(.reason)
        if let name = try query.string(.kind) {
            causes.origin = CommitOrigin(rawValue: name)
            causes.kind = OperationKind(rawValue: name)
            guard causes.origin != nil || causes.kind != nil else {
                let names =
                    OperationKind.allCases.map(\.rawValue) + CommitOrigin.allCases.map(\.rawValue)
                throw Query.malformed(
                    .kind,
                    "It takes an operation, or what a commit came from: \(names.joined(separator: ", "))."
                )
            }
        }
        since = try query.revisionOrTime(.since)
        until = try query.revisionOrTime(.until)
        if let text = try query.string(.resolved) {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ Identifier.isValid(String($0)) }) else {
                throw Query.malformed(
                    .resolved, "It takes a node and a trait with a colon between them: scene:theme."
                )
            }
            resolved = (String(parts[0]), String(parts[1]))
        }
    }
}

extension Request {
    /// An identifier in the query; nil without the parameter.
    func queriedIdentifier(_ parameter: QueryParameter) throws(Problem) -> String? {
        guard let name = try context.query.string(parameter) else { return nil }
        guard Identifier.isValid(name) else {
            throw Query.malformed(parameter, "It takes an identifier.")
        }
        return name
    }
}

extension SessionState {
    /// The retained revisions from `since` to `until`.
    func retainedRange(_ filters: HistoryFilters) -> ClosedRange<Int64>? {
        let oldest = oldestRetained
        var first = oldest
        var last = acknowledged
        switch filters.since {
        case .revision(let revision): first = max(oldest, revision)
        case .time(let time):
            first = oldest + Int64(retained.count(before: time))
        case nil: break
        }
        switch filters.until {
        case .revision(let revision): last = min(last, revision)
        case .time(let time):
            last = min(last, oldest + Int64(retained.count(before: time + 1)) - 1)
        case nil: break
        }
        return first <= last ? first...last : nil
    }
}
