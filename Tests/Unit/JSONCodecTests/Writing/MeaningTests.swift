// Texts that mean the same have one text in common, others have not.

import JSONCodec
import Testing

@Suite("The meaning of a text")
struct MeaningTests {
    private func meaning(_ text: String) throws -> String {
        try JSONTape().with(text) { value in
            var writer = JSONWriter()
            writer.meaning(of: value)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
    }

    @Test("numbers are one when they are equal, exactly")
    func numbers() throws {
        let groups = [
            ["0", "-0", "0.000", "0e7", "-0.0E-3"],
            ["2", "2.0", "0.2e1", "20e-1", "2E+0", "200e-2"],
            ["-2", "-2.00"], ["1500", "1.5e3", "15e2"], ["0.15", "15e-2", "1.5E-1"],
            ["1e400", "10e399"], ["1e401"], ["0.1"], ["0.1000000000000000055511151231257827"],
            ["9007199254740993"], ["9007199254740992", "9007199254740992.0"],
            ["1e18", "1000000000000000000"], ["1e19", "10000000000000000000"],
            ["1e99999999999999999999"],
        ]
        var seen: [String: Int] = [:]
        for (position, group) in groups.enumerated() {
            for text in group {
                let meaning = try meaning(text)
                #expect(seen[meaning, default: position] == position, "\(text)")
                seen[meaning] = position
                #expect(try self.meaning(meaning) == meaning, "\(text)")
            }
        }
        #expect(seen.count == groups.count)
    }

    @Test("members have no order, elements have one")
    func containers() throws {
        let text = #"{"b":[1,{"z":1,"a":[]}],"a":"\u0041","":null,"aa":true}"#
        let expected = #"{"":null,"a":"A","aa":true,"b":[1,{"a":[],"z":1}]}"#
        #expect(try meaning(text) == expected)
        #expect(try meaning("[2,1]") != meaning("[1,2]"))
        #expect(try meaning(#"{"a":1}"#) != meaning(#"{"a":"1"}"#))
        #expect(try meaning("{}") != meaning("[]"))
    }
}
