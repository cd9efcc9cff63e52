// A share of the random scripts, in the build that the other tests use.

import SessionScripts
import Testing

struct RandomScriptTests {
    @Test("A session, its follower and what its log rebuilds are the same, revision for revision")
    func scripts() {
        let outcome = ScriptOutcome(of: 1..<13, thoroughEvery: 8)
        #expect(outcome.failure == nil)
    }
}
