// Where a server listens: ports, both families, socket files, several at once.

import Glibc
import Testing

@testable import HTTPServer

@Suite("Listening")
struct ListeningTests {
    static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    /// A path for a socket file in a folder of its own, which is removed afterwards.
    private static func withPath(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/listening-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        let path = folder + "/socket"
        defer {
            unlink(path)
            rmdir(folder)
        }
        try body(path)
    }

    private static func mode(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : nil
    }

    private static func server(_ addresses: ListenAddress...) throws -> TestServer {
        try TestServer(shards: 2, configure: { $0.addresses = addresses })
    }

    @Test("IPv6 is listened on where there is any")
    func ipv6() throws {
        guard let server = try? Self.server(.tcp(host: "::1", port: 0)) else { return }
        #expect(server.address.description == "[::1]:\(server.address.port ?? 0)")
        #expect(try server.connect().request(Self.get)?.status == 200)
    }

    @Test("Several addresses are served alike")
    func several() throws {
        try Self.withPath { path in
            let any = ListenAddress.tcp(host: "127.0.0.1", port: 0)
            let server = try Self.server(any, .unix(path: path), any)
            #expect(server.addresses.count == 3)
            #expect(Set(server.addresses).count == 3)
            for address in server.addresses {
                for _ in 0..<3 {
                    #expect(try RawClient(address).request(Self.get)?.status == 200)
                }
            }
        }
    }

    @Test("Both families of one port can be listened on, each by its own wildcard")
    func twins() throws {
        guard let six = try? Self.server(.tcp(host: "::", port: 0)) else { return }
        let port = try #require(six.address.port)
        // Alone it takes both.
        #expect(
            try RawClient(.tcp(host: "127.0.0.1", port: port)).request(Self.get)?.status == 200)
        six.server.stop()
        let both = try Self.server(
            .tcp(host: "0.0.0.0", port: port), .tcp(host: "::", port: port))
        for host in ["127.0.0.1", "::1"] {
            let client = try RawClient(.tcp(host: host, port: port))
            #expect(client.request(Self.get)?.status == 200)
        }
        #expect(both.addresses.count == 2)
    }

    @Test("When one address cannot be had, the others are let go")
    func allOrNone() throws {
        try Self.withPath { path in
            let taken = try Self.server(.tcp(host: "127.0.0.1", port: 0))
            #expect(throws: ServerError.cannotListen(taken.address, errno: EADDRINUSE)) {
                _ = try Self.server(.unix(path: path), taken.address)
            }
            #expect(Self.mode(of: path) == nil)
            #expect(throws: ServerError.noAddress) { _ = try Self.server() }
        }
    }

    @Test("A socket file is made with its permissions, and removed at the end")
    func socketFile() throws {
        try Self.withPath { path in
            for mode in [0o600, 0o666, 0o660] as [UInt32] {
                let server = try TestServer(configure: {
                    $0.addresses = [.unix(path: path)]
                    $0.socketFileMode = mode
                })
                #expect(Self.mode(of: path) == S_IFSOCK | mode)
                #expect(server.address.description == "unix:\(path)")
                #expect(try server.connect().request(Self.get)?.status == 200)
                server.server.stop()
                #expect(Self.mode(of: path) == nil)
            }
        }
    }

    @Test("Draining removes the socket file, so that a successor can have it")
    func drainedSocketFile() throws {
        try Self.withPath { path in
            let first = try Self.server(.unix(path: path))
            #expect(first.drain(graceSeconds: 60).take() == true)
            let second = try Self.server(.unix(path: path))
            first.server.stop()
            // The first one's end does not take away what is now the second one's.
            #expect(try second.connect().request(Self.get)?.status == 200)
        }
    }

    @Test("A socket file that was left behind is replaced; one in use, or another file, is not")
    func staleSocketFile() throws {
        try Self.withPath { path in
            let abandoned = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            #expect(UnixAddress(path)?.bind(abandoned) == true)
            close(abandoned)
            let server = try Self.server(.unix(path: path))
            let inUse = ServerError.cannotListen(.unix(path: path), errno: EADDRINUSE)
            #expect(throws: inUse) { _ = try Self.server(.unix(path: path)) }
            #expect(try server.connect().request(Self.get)?.status == 200)
            server.server.stop()
            close(open(path, O_CREAT | O_WRONLY, 0o600))
            #expect(throws: inUse) { _ = try Self.server(.unix(path: path)) }
            #expect(Self.mode(of: path) == S_IFREG | 0o600)
        }
    }

    @Test("A path that does not fit is refused, and one at the limit is not")
    func pathLength() {
        #expect(UnixAddress(String(repeating: "a", count: 107)) != nil)
        #expect(UnixAddress(String(repeating: "a", count: 108)) == nil)
        #expect(UnixAddress("") == nil)
        #expect(UnixAddress("a\0b") == nil)
        let long = String(repeating: "a", count: 200)
        #expect(
            throws: ServerError.cannotListen(.unix(path: long), errno: ENAMETOOLONG)
        ) { _ = try Self.server(.unix(path: long)) }
    }

    @Test("An address for health has room of its own, and its connections are marked")
    func healthAddress() throws {
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.healthAddresses = [.tcp(host: "127.0.0.1", port: 0)]
            configuration.limits.connectionsMax = 1
            configuration.limits.reservedConnections = 2
        }
        let server = try TestServer(configure: configure) { $0.reply("\($0.entrance)") }
        let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        try #require(server.addresses.count == 2)
        let first = try server.connect()
        #expect(first.request(request)?.text == "open")
        var probes: [RawClient] = []
        for _ in 0..<2 {
            let probe = try RawClient(server.addresses[1])
            // It may be kept open.
            for _ in 0..<3 { #expect(probe.request(request)?.text == "health") }
            probes.append(probe)
        }
        #expect(try RawClient(server.addresses[1]).isAtEnd)
        #expect(try server.connect().request(request)?.text == "reserved")
        probes.removeLast()
        server.wait { $0.statistics.connections <= 2 }
        let again = try RawClient(server.addresses[1])
        let body = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"
        #expect(again.request(body)?.status == 413)
        #expect(first.request(request)?.text == "open")
    }
}

@Suite("Listen addresses")
struct ListenAddressTests {
    @Test(
        "are read from text",
        arguments: [
            ("127.0.0.1:8080", .tcp(host: "127.0.0.1", port: 8_080)),
            ("localhost:0", .tcp(host: "localhost", port: 0)),
            ("[::1]:65535", .tcp(host: "::1", port: 65_535)),
            ("::1:80", nil), ("[::1]", nil), ("[]:80", nil), ("[a]:80", nil), (":80", nil),
            ("a", nil), ("a:", nil), ("a:65536", nil), ("a:-1", nil), ("a:+1", nil),
            ("a:1 ", nil), ("a:٣", nil), ("a:000080", nil), ("", nil),
        ] as [(String, ListenAddress?)])
    func reading(text: String, address: ListenAddress?) {
        #expect((try? ListenAddress(parsing: text)) == address)
        if let address { #expect(address.description == text) }
    }

    @Test(
        "know whether they can be reached from elsewhere",
        arguments: [
            ("127.0.0.1:1", true), ("127.255.0.9:1", true), ("localhost:1", true),
            ("[::1]:1", true), ("0.0.0.0:1", false), ("[::]:1", false), ("10.0.0.1:1", false),
            ("LOCALHOST:1", true), ("[0:0:0:0:0:0:0:1]:1", true), ("[::ffff:127.0.0.1]:1", true),
            ("[::ffff:10.0.0.1]:1", false), ("127.evil.example:1", false),
            ("127.0.0.evil:1", false), ("127.0.0.1.com:1", false),
        ])
    func loopback(text: String, isLocal: Bool) throws {
        #expect(try ListenAddress(parsing: text).isLocal == isLocal)
    }

    @Test(
        "A host is a name or an address, with or without the brackets of IPv6",
        arguments: [
            ("[::1]", "::1"), ("::1", "::1"), ("[::]", "::"), ("::", "::"),
            ("localhost", "localhost"),
            ("10.0.0.1", "10.0.0.1"), ("fe80::1%eth0", "fe80::1%eth0"),
            ("[fe80::1%eth0]", "fe80::1%eth0"), ("a.example", "a.example"), ("", nil), ("[]", nil),
            ("[::1", nil), ("::1]", nil), ("[a]", nil), ("a:80", nil), ("[::1]:80", nil),
            ("127.0.0.1:80", nil), ("::1%", nil), (":::", nil), ("a b", nil), ("a/b", nil),
        ] as [(String, String?)])
    func hosts(text: String, host: String?) {
        #expect((try? ListenAddress.host(text)) == host)
    }

    @Test("A host without a port gets the default one, where there is one")
    func defaultPort() throws {
        #expect(try ListenAddress(parsing: "[::1]", defaultPort: 80) == .tcp(host: "::1", port: 80))
        #expect(try ListenAddress(parsing: "a", defaultPort: 80) == .tcp(host: "a", port: 80))
        #expect(try ListenAddress(parsing: "a:81", defaultPort: 80) == .tcp(host: "a", port: 81))
        #expect(throws: ListenAddressFault.self) {
            try ListenAddress(parsing: "::1", defaultPort: 80)
        }
    }
}
