// The rules of SessionLog, run against every log there is.

import SessionLog
import SessionLogTestSupport
import Testing

@Suite("Logs")
struct ConformanceTests {
    enum Kind: CaseIterable, Sendable {
        case memory, limited, delaying, delayingAnswers, failing, racing

        func makeLog() -> any SessionLog {
            switch self {
            case .memory: MemoryLog()
            case .limited: MemoryLog(maxEntryBytes: 1_024, maxBatchEntries: 1_000)
            case .delaying: DelayingLog(isHolding: false)
            case .delayingAnswers: DelayingLog(delay: .answer, isHolding: false)
            case .failing: FailingLog()
            case .racing: RacingLog()
            }
        }
    }

    @Test("Every log keeps the rules", arguments: Kind.allCases, SessionLogConformance.rules)
    func conformance(kind: Kind, rule: SessionLogConformance.Rule) throws {
        try rule.check(SessionLogConformance { kind.makeLog() })
    }
}
