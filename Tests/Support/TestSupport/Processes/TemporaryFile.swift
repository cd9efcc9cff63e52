// Temporary files and folders for a process under test.

import Foundation

/// Calls `body` with the path of a new file that holds `text`, and removes the file afterwards.
package func withTemporaryFile<Result>(
    _ text: String, _ body: (String) throws -> Result
) throws -> Result {
    let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("traitd-\(UUID().uuidString).json").path
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
}

/// Calls `body` with the path of a new folder, and removes the folder afterwards.
package func withTemporaryFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let path = NSTemporaryDirectory() + "traitd-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
}
