// What tests ask of the pages of long polls.

@testable import TraitSessions

extension LongPoll.Outcome {
    var isWritten: Bool { if case .written = self { true } else { false } }
}
