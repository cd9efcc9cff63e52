// The client of the commands that need a running server. Each request has a connection of its own.

import ArgumentParser
import Glibc
import HTTPServer

struct ServerOptions: ParsableArguments {
    @OptionGroup var place: ServerAddressOptions

    @Option(
        help: ArgumentHelp(
            "A file with a token that allows the request, for a server with --tokens. Without it the "
                + "variable TRAITD_TOKEN may hold the token.", valueName: "path"),
        completion: .file())
    var tokenFile: String?

    /// Where the server is; the default address where no option says so.
    var server: ServerAddress {
        place.given
            ?? ServerAddress(
                .tcp(host: ListenOptions.hostDefault, port: ListenOptions.portDefault))
    }

    /// The variable that may hold the token. Each command that asks a server takes it.
    static let tokenVariable = "TRAITD_TOKEN"

    /// Sends a request, and calls `receive` with each piece of the answer's body.
    ///
    /// - Parameters:
    ///   - fields: header lines, each with its CR LF.
    ///   - timeoutSeconds: how long one call on the socket may take; nil for any time.
    ///   - sent: gets the number of bytes of the body that are sent.
    ///   - receive: gets the status and a piece of the body.
    /// - Throws: `Fault` when no server listens, when the server ends the connection without a whole answer, and for
    ///   a file of `--token-file` that cannot be read; what `receive` throws.
    func send(
        _ method: String, _ target: String, fields: String = "", body: [UInt8] = [],
        timeoutSeconds: Int? = nil, sent: ((Int) -> Void)? = nil,
        _ receive: (_ status: Int, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let server = server
        guard let connection = Dialing.connect(server.address, timeoutSeconds: timeoutSeconds)
        else { throw Self.noAnswer("traitd does not answer on \(server)") }
        defer { close(connection) }
        let authorization = try token().map { "Authorization: Bearer \($0)\r\n" }
        let length = body.isEmpty ? "" : "Content-Length: \(body.count)\r\n"
        // HTTP/1.0: the answer's body is sent as it is, and ends with the connection.
        let head =
            "\(method) \(server.prefix)\(target) HTTP/1.0\r\nHost: \(server.authority)\r\n\(authorization ?? "")"
            + "\(fields)\(length)\r\n"
        write(Array(head.utf8), to: connection)
        // A server that refuses the head closes before it has read the body; its answer says why.
        write(body, to: connection, sent)
        try receiveAnswer(connection, receive)
    }

    private static func noAnswer(_ text: String) -> Fault { Fault(text, code: Exit.unavailable) }

    /// The token of the file, else of the variable; nil without both.
    private func token() throws -> String? {
        let text =
            try tokenFile.map { String(decoding: try InputFile.read($0), as: UTF8.self) }
            ?? getenv(Self.tokenVariable).map { String(cString: $0) }
        guard let token = text?.filter({ !$0.isWhitespace }), !token.isEmpty else { return nil }
        return token
    }

    private static let pieceBytes = 262_144

    private func write(
        _ bytes: [UInt8], to connection: Int32, _ progress: ((Int) -> Void)? = nil
    ) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].prefix(Self.pieceBytes).withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 {
                if errno != EINTR { return }
                continue
            }
            sent += count
            progress?(sent)
        }
    }

    private func receiveAnswer(
        _ connection: Int32, _ receive: (Int, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var head: [UInt8] = []
        var status: Int?
        var buffer = [UInt8](repeating: 0, count: 262_144)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                throw Self.noAnswer("the server on \(server) took too long to answer")
            }
            if count <= 0 { break }
            if let status {
                try buffer.withUnsafeBytes {
                    try receive(status, UnsafeRawBufferPointer(rebasing: $0[..<count]))
                }
                continue
            }
            head += buffer[..<count]
            guard let end = Self.endOfHead(head) else { continue }
            guard let found = Self.status(of: head) else { break }
            status = found
            try head[end...].withUnsafeBytes { try receive(found, $0) }
        }
        guard status != nil else {
            throw Self.noAnswer("the server on \(server) gave no answer")
        }
    }

    private static func status(of head: [UInt8]) -> Int? {
        let line = String(decoding: head.prefix(16), as: UTF8.self).split(separator: " ")
        return line.count > 1 && line[0].hasPrefix("HTTP/1.") ? Int(line[1].prefix(3)) : nil
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let end = Array("\r\n\r\n".utf8)
        guard bytes.count >= end.count else { return nil }
        return (0...bytes.count - end.count).first { bytes[$0..<$0 + end.count].elementsEqual(end) }
            .map { $0 + end.count }
    }
}
