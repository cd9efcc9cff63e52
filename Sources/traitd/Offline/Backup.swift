// `traitd backup`: asks a running server for all its sessions and verifies what came.

import ArgumentParser
import Glibc
import TraitSessions

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the sessions of a running server into a file, and verify it.",
        discussion:
            "Each session is at one revision. 'traitd import' reads the file into a data directory."
    )

    @Option(help: "The address the server listens on.")
    var host = "127.0.0.1"

    @Option(help: "The port it listens on.")
    var port: UInt16 = 8080

    @Option(
        help: ArgumentHelp(
            "A file with a token that may do everything, for a server with --tokens.",
            valueName: "path"))
    var tokenFile: String?

    @Option(help: ArgumentHelp("The file to write.", valueName: "path"))
    var output: String

    func run() throws {
        let connection = try connect()
        defer { close(connection) }
        // HTTP/1.0: the body is sent as it is, and ends with the connection.
        let authorization = try tokenFile.map { path in
            let text = String(decoding: try InputFile.read(path), as: UTF8.self)
            return "Authorization: Bearer \(text.filter { !$0.isWhitespace })\r\n"
        }
        let request =
            "GET /v1/backup HTTP/1.0\r\nHost: \(host):\(port)\r\n\(authorization ?? "")\r\n"
        guard send(connection, request, request.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else {
            throw Offline.failure("the server on \(host):\(port) took no request", code: 69)
        }
        let file = try OutputFile(output)
        var head: [UInt8] = []
        var isBody = false
        var buffer = [UInt8](repeating: 0, count: 262_144)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            if isBody {
                buffer.withUnsafeBytes {
                    file.write(UnsafeRawBufferPointer(rebasing: $0[..<count]))
                }
                continue
            }
            head += buffer[..<count]
            guard let end = Self.endOfHead(head) else { continue }
            isBody = true
            guard head.starts(with: Array("HTTP/1.1 200 ".utf8)) else {
                throw Offline.failure(
                    "the server answered: \(String(decoding: head.prefix(2_000), as: UTF8.self))",
                    code: 69)
            }
            head[end...].withUnsafeBytes(file.write)
        }
        try file.finish()
        try verify()
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let end = Array("\r\n\r\n".utf8)
        guard bytes.count >= end.count else { return nil }
        return (0...bytes.count - end.count).first { bytes[$0..<$0 + end.count].elementsEqual(end) }
            .map { $0 + end.count }
    }

    /// Reads the file again: a backup that cannot be restored is none.
    private func verify() throws {
        let bytes = try InputFile.read(output)
        do throws(BackupError) {
            let read = bytes.withUnsafeBytes { bytes in
                Result { () throws(BackupError) in try BackupReader.sessions(of: bytes) }
            }
            for session in try read.get() {
                print("\(session.name)  revision \(session.snapshot.revision)")
            }
        } catch {
            throw Offline.failure("\(output): \(error.description)")
        }
    }

    private func connect() throws -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let info = found?.pointee else {
            throw Offline.failure("'\(host)' is no address", code: 69)
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(info.ai_family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0, Glibc.connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 else {
            if descriptor >= 0 { close(descriptor) }
            throw Offline.failure("traitd does not answer on \(host):\(port)", code: 69)
        }
        return descriptor
    }
}
