// A server that knows a few tokens, in a folder of its own.

import Foundation
import HTTPServer
import SessionViews
import Synchronization
import TestSupport
import TraitSessions

@testable import TraitService

/// A file of tokens, and the tokens' own text, which no file has.
final class TokenFolder: Sendable {
    let path: String
    private let folder: URL
    /// Milliseconds since 1970, by the server's clock.
    let clock = Mutex<Int64>(1_800_000_000_000)

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("traitd-tokens-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("tokens").path
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var file: TokenFile { TokenFile(path: path) }

    /// Adds a token; returns what its bearer sends.
    func add(
        _ name: String, _ allow: Access, _ sessions: [String], accessor: String? = nil,
        expires: Int64? = nil
    ) throws -> String {
        let accessor = accessor ?? TokenText.makeAccessor()
        let (token, hash) = TokenText.make(accessor: accessor)
        try file.append(
            TokenEntry(
                accessor: accessor, name: name, allow: allow, sessions: sessions, hash: hash,
                created: 0, expires: expires))
        return token
    }

    func write(_ text: String, mode: Int = 0o600) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    func keeper() throws -> TokenKeeper {
        try TokenKeeper(file) { [self] in clock.withLock { $0 } }
    }

    static func accessor(of token: String) -> String { String(token.dropFirst(7).prefix(8)) }
}

extension HTTPField {
    static func bearer(_ token: String) -> HTTPField {
        HTTPField("Authorization", "Bearer \(token)")
    }
}
