// Everything a person sees has a golden file. `RECORD_SNAPSHOTS=1` rewrites them, and a run that
// recorded fails, so that recording is not mistaken for checking.

import Foundation
import Testing

/// One file of a folder Golden, by default of Tests/Unit/TraitServiceTests.
package struct GoldenFile {
    private let url: URL

    private static func folder(of tests: String) -> URL {
        URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("\(tests)/Golden")
    }

    package init(_ name: String, of tests: String = "Unit/TraitServiceTests") {
        url = Self.folder(of: tests).appendingPathComponent("\(name).txt")
    }

    /// Any file, such as a document that has a part made from data.
    package init(at url: URL) { self.url = url }

    /// The names of all files there are.
    package static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: folder(of: "Unit/TraitServiceTests").path
        )
        .filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }
    }

    package func text() throws -> String { try String(contentsOf: url, encoding: .utf8) }

    private static let isRecording =
        ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"

    /// Records an issue that shows the first difference between the file and `actual`.
    package func verify(_ actual: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let expected = try? text()
        if Self.isRecording {
            record(actual, over: expected, sourceLocation)
        } else if let expected {
            guard let difference = Self.difference(expected, actual) else { return }
            Issue.record("\(url.lastPathComponent): \(difference)", sourceLocation: sourceLocation)
        } else {
            Issue.record(
                "\(url.path) does not exist; RECORD_SNAPSHOTS=1 writes it",
                sourceLocation: sourceLocation)
        }
    }

    private func record(_ actual: String, over expected: String?, _ location: SourceLocation) {
        do {
            if actual != expected {
                try actual.write(to: url, atomically: true, encoding: .utf8)
            }
            Issue.record("recorded \(url.lastPathComponent)", sourceLocation: location)
        } catch {
            Issue.record("cannot record \(url.path): \(error)", sourceLocation: location)
        }
    }

    /// The first line that differs, with the lines around it; nil when the texts are equal.
    static func difference(_ expected: String, _ actual: String) -> String? {
        guard expected != actual else { return nil }
        let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
        let new = actual.split(separator: "\n", omittingEmptySubsequences: false)
        let line = zip(old, new).prefix { $0 == $1 }.count
        let before = old[max(0, line - 6)..<line].map { "  \($0)" }
        let removed = old[line..<min(old.count, line + 6)].map { "- \($0)" }
        let added = new[line..<min(new.count, line + 6)].map { "+ \($0)" }
        return "differs from line \(line + 1)\n"
            + (before + removed + added).joined(separator: "\n")
    }
}
