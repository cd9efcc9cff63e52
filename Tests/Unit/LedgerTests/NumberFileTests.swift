// Numbers from files as those of /proc, and from files that are cut off.

import Foundation
import Glibc
import Testing

@testable import Ledger

@Suite("Files of numbers")
struct NumberFileTests {
    /// The number at each of the first five positions.
    private func numbers(of text: String) throws -> [UInt64?] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let descriptor = open(file.path, O_RDONLY)
        defer { close(descriptor) }
        return (0..<5).map { NumberFile.number(at: $0, of: descriptor) }
    }

    @Test("gives each number that a space or the end of the line follows")
    func positions() throws {
        #expect(try numbers(of: "4017 0 18446744073709551615\n") == [4_017, 0, .max, nil, nil])
    }

    @Test("gives nothing for a number that is cut off, and none beyond the last")
    func cutOff() throws {
        #expect(try numbers(of: "17 42") == [17, nil, nil, nil, nil])
        #expect(try numbers(of: "") == [nil, nil, nil, nil, nil])
        let long = Array(repeating: String(UInt64.max), count: 10).joined(separator: " ")
        #expect(try numbers(of: long) == Array(repeating: .max, count: 5))
    }

    @Test("gives nothing without a file")
    func none() { #expect(NumberFile.number(at: 0, of: -1) == nil) }

    @Test("reads the process's memory")
    func memory() throws {
        let bytes = try #require(ResidentMemory.bytes())
        let fileBytes = try #require(ResidentMemory.fileBytes())
        #expect(fileBytes > 0 && fileBytes < bytes)
    }
}
