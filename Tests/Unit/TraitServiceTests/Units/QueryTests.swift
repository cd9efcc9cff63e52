// The strict query parser.

import Testing

@testable import TraitService

struct QueryTests {
    private func parse(
        _ text: String, _ allowed: [QueryParameter] = [.dryRun, .traits, .pageSize],
        _ check: (Query) throws -> Void = { _ in }
    ) throws {
        var text = text
        try text.withUTF8 { bytes in
            var query = Query()
            try query.parse(UnsafeRawBufferPointer(bytes), allowed: QueryParameterSet(allowed))
            try check(query)
        }
    }

    private func refusal(_ text: String, _ check: (Query) throws -> Void = { _ in }) -> Problem? {
        do {
            try parse(text) { try check($0) }
            return nil
        } catch let problem as Problem {
            return problem
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    @Test("Flags are true or false and nothing else")
    func flags() throws {
        try parse("dryRun=true") { query in
            let flag = query.flag(.dryRun)
            #expect(flag)
        }
        try parse("dryRun=false") { query in
            let flag = query.flag(.dryRun)
            #expect(!flag)
        }
        try parse("") { query in
            let flag = query.flag(.dryRun)
            #expect(!flag)
        }
        for text in ["dryRun", "dryRun=", "dryRun=1", "dryRun=TRUE", "dryRun=yes", "dryRun=true "] {
            #expect(
                refusal(text) { _ = $0.flag(.dryRun) }?.code == .malformedParameter, "\(text)")
        }
    }

    @Test("A misspelt parameter is refused with the right one")
    func suggestion() {
        #expect(refusal("dryrun=true")?.didYouMean == "dryRun")
        #expect(refusal("dry_run=true")?.code == .unknownParameter)
        #expect(refusal("zzzzzz=1")?.didYouMean == nil)
        #expect(refusal("explain=true")?.code == .unknownParameter)
    }

    @Test("A repeated parameter is refused, whatever its values")
    func repeated() {
        #expect(refusal("traits=a&traits=b")?.code == .repeatedParameter)
        #expect(refusal("traits=a&dryRun=true&traits=a")?.code == .repeatedParameter)
    }

    @Test("Integers stay in their range and do not overflow")
    func integers() throws {
        try parse("pageSize=10") { query in
            let size = try query.integer(.pageSize, in: 1...1_000)
            #expect(size == 10)
        }
        let values = [
            "0", "1001", "-1", "+1", "%2B1", "1e3", "", "99999999999999999999999", "0x10",
        ]
        for value in values {
            let problem = refusal("pageSize=\(value)") {
                _ = try $0.integer(.pageSize, in: 1...1_000)
            }
            #expect(problem?.code == .malformedParameter, "\(value)")
        }
    }

    @Test("Values are percent-decoded, and malformed escapes are refused")
    func percent() throws {
        try parse("traits=%61%2Cb") { query in
            let text = try query.string(.traits)
            #expect(text == "a,b")
        }
        for value in ["%", "%2", "%zz", "%ff"] {
            #expect(refusal("traits=\(value)") { _ = try $0.string(.traits) } != nil, "\(value)")
        }
    }
}
