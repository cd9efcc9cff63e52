// Refusals beyond a limit. The table of limits has their status, code and name.

import Limits

extension WireError {
    /// - Parameters:
    ///   - property: a limit whose entry says that requests beyond it are refused.
    ///   - detail: gets the limit's value.
    package init<Table: LimitTable>(
        beyond property: PartialKeyPath<Table>, of limits: Table, at offset: Int? = nil,
        _ detail: (Int) -> String
    ) {
        let limit = Table.entry(of: property)
        self.init(beyond: limit, value: limit.get(limits), at: offset, detail)
    }

    /// Makes the refusal from the limit's value alone.
    package init<Table: LimitTable>(
        beyond property: PartialKeyPath<Table>, value: Int, at offset: Int? = nil,
        _ detail: (Int) -> String
    ) {
        self.init(beyond: Table.entry(of: property), value: value, at: offset, detail)
    }

    private init<Table: LimitTable>(
        beyond limit: Limit<Table>, value: Int, at offset: Int?, _ detail: (Int) -> String
    ) {
        guard case .refused(let status, let code) = limit.beyond else {
            preconditionFailure("nothing is refused beyond \(limit.name)")
        }
        self.init(
            status: status, code: code, detail: detail(value), limit: (limit.name, value),
            offset: offset)
    }
}
