// Every input that a fuzzer has found worth keeping goes through the same code in every test run, so
// that what was found once stays found.

import FuzzTargets
import Glibc
import Testing

@Suite("The fuzzers' corpus")
struct CorpusTests {
    @Test(
        "is taken without a failure", arguments: FuzzTarget.allCases)
    func corpusHolds(_ target: FuzzTarget) throws {
        let inputs = try Self.inputs(of: target)
        #expect(inputs.count >= 5, "\(target.rawValue)'s corpus is not there")
        for (name, bytes) in inputs {
            do {
                try bytes.withUnsafeBytes { try target.run($0) }
            } catch {
                Issue.record("\(target.rawValue)/\(name): \(error)")
            }
        }
    }

    @Test("is not all there is: nothing at all is taken too", arguments: FuzzTarget.allCases)
    func emptyInput(_ target: FuzzTarget) throws {
        try target.run(UnsafeRawBufferPointer(start: nil, count: 0))
    }

    private static func inputs(of target: FuzzTarget) throws -> [(String, [UInt8])] {
        let folder =
            #filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" }
            + "/Corpus/\(target.rawValue)"
        let listing = try #require(opendir(folder), "no folder \(folder)")
        defer { closedir(listing) }
        var inputs: [(String, [UInt8])] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(".") { continue }
            inputs.append((name, try contents(of: "\(folder)/\(name)")))
        }
        return inputs.sorted { $0.0 < $1.0 }
    }

    private static func contents(of path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"), "cannot read \(path)")
        defer { fclose(file) }
        return [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
            count = fread(buffer.baseAddress, 1, buffer.count, file)
        }
    }
}
