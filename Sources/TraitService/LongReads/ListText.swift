// An object with one list or object of many members, such as the environment of a node or the variants of a
// colour. Thousands of members, or members of kilobytes, make megabytes, so the text is written in parts.

import JSONCodec
import SessionViews
import TraitSessions

struct ListText: TextInParts {
    /// Writes the open object up to the bracket that opens the list.
    let begin: @Sendable (SessionState, inout JSONWriter) -> Void
    let count: Int
    /// Writes one member of the list.
    let member: @Sendable (SessionState, Int, inout JSONWriter) -> Void
    /// Writes from the bracket that closes the list.
    let end: @Sendable (SessionState, inout JSONWriter) -> Void
    private var written = 0
    private var hasBegun = false

    init(
        count: Int, begin: @escaping @Sendable (SessionState, inout JSONWriter) -> Void,
        member: @escaping @Sendable (SessionState, Int, inout JSONWriter) -> Void,
        end: @escaping @Sendable (SessionState, inout JSONWriter) -> Void
    ) {
        self.count = count
        self.begin = begin
        self.member = member
        self.end = end
    }

    mutating func write(
        from session: SessionState, budget: Int, into writer: inout JSONWriter
    ) -> Bool {
        if !hasBegun {
            hasBegun = true
            begin(session, &writer)
        } else if written > 0 {
            // The part before ended behind a member.
            writer.separate()
        }
        while written < count {
            if writer.count >= budget { return false }
            member(session, written, &writer)
            written += 1
        }
        end(session, &writer)
        return true
    }
}
