// While servers of two versions share a log, nothing is written that the older version cannot read.

import SessionLog
import TraitEngine

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
    /// Whether log entries and documents with the definition have format 2.
    var needsFormat2: Bool {
        isDeprecated || !deprecatedCases.isEmpty || type.needsFormat2
    }
}

extension TraitType {
    var needsFormat2: Bool {
        switch self {
        case .json: true
        case .structure(let fields): fields.contains { $0.type == .json }
        default: false
        }
    }
}

extension TraitDefinitions {
    /// The format of a document with these definitions.
    var neededFormat: Int64 {
        custom.contains { self[$0].needsFormat2 }
            || environmentKeys.contains(where: \.type.needsFormat2)
            ? 2 : SessionHeader.writtenFormat
    }
}
