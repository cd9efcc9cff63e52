// While servers of two versions share a log, nothing is written that the older version cannot read.

import SessionLog
import TraitEngine
import TraitJSON

extension SessionState {
    /// - Throws: `logUnavailable` while a process that shares the log does not read what the transaction writes.
    func checkReaders(of transaction: Transaction) throws(SessionError) {
        let needed = transaction.neededFormat
        guard let common = log?.commonVersions, common.format < needed else { return }
        throw SessionError(
            .logUnavailable,
            "A server that shares the log reads sessions up to format \(common.format); this write needs format \(needed). Stop the older servers first."
        )
    }
}

extension TraitDefinition {
    /// The format of log entries and documents with the definition.
    var neededFormat: Int64 {
        if !notes.isEmpty { return 3 }
        let isDeprecating = isDeprecated || !deprecatedCases.isEmpty
        return isDeprecating ? 2 : type.neededFormat
    }
}

extension TraitType {
    var neededFormat: Int64 {
        switch self {
        case .json: 2
        case .structure(let fields) where fields.contains { $0.type == .json }: 2
        default: SessionHeader.writtenFormat
        }
    }
}

extension TraitDefinitions {
    /// The format of a document with these definitions.
    var neededFormat: Int64 {
        let traits = custom.map { self[$0].neededFormat }
        let keys = environmentKeys.map(\.type.neededFormat)
        return max(SessionHeader.writtenFormat, traits.max() ?? 0, keys.max() ?? 0)
    }
}
