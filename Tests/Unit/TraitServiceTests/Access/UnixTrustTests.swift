// Callers on a socket file: the server's own user needs no token where it is trusted.

import Foundation
import HTTPServer
import TestSupport
import Testing

@testable import TraitService

@Suite("Callers by socket files")
struct UnixTrustTests {
    /// Asks one thing over a socket file.
    private static func ask(_ path: String, _ head: String) throws -> String {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        let address = try #require(UnixAddress(path))
        try #require(address.connect(descriptor))
        let request = head + "\r\nHost: any\r\nConnection: close\r\n\r\n"
        try #require(send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL)) > 0)
        var text: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &room, room.count, 0)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            text += room.prefix(count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    @Test("The server's own user is let in where it is trusted, and elsewhere needs a token")
    func trust() throws {
        let folder = try TokenFolder()
        let token = try folder.add("reader", .read, ["team-*"])
        for isTrusted in [true, false] {
            let path = folder.path + (isTrusted ? ".trusted" : ".other")
            let service = TraitService(
                version: "test", shards: 1, tokens: try folder.keeper(), trustsOwnUser: isTrusted)
            let server = try InProcessService(serving: service) {
                $0.addresses.append(.unix(path: path))
            }
            let answer = try Self.ask(path, "GET /v1/whoami HTTP/1.1")
            #expect(answer.hasPrefix(isTrusted ? "HTTP/1.1 200 " : "HTTP/1.1 401 "))
            #expect(answer.contains("\"caller\":\"unix:\(geteuid())\"") == isTrusted)
            #expect(answer.contains("\"allow\":\"admin\"") == isTrusted)
            // A token that is sent counts, good or bad.
            let bad = try Self.ask(
                path, "GET /v1/whoami HTTP/1.1\r\nAuthorization: Bearer traitd_x")
            #expect(bad.hasPrefix("HTTP/1.1 401 "))
            let good = try Self.ask(
                path, "GET /v1/whoami HTTP/1.1\r\nAuthorization: Bearer \(token)")
            #expect(good.contains("\"allow\":\"read\""))
            // Nobody is trusted by TCP.
            #expect(try server.client().get("/v1/whoami").status == 401)
        }
    }
}
