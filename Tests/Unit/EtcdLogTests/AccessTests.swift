// TLS, users with passwords, and what an operator has to read when a connection cannot be made.

import Foundation
import Glibc
import SessionLog
import SessionLogTestSupport
import TestSupport
import Testing

@testable import EtcdLog

@Suite("Access to etcd", .enabled(if: EtcdMember.isInstalled))
struct AccessTests {
    private let mail = LogSession(name: "mail", uid: "abcdefghijkl")

    @Test(
        "Over TLS the log needs the authority and a certificate",
        .enabled(if: Certificates.canBeMade))
    func tls() throws {
        let member = try EtcdMember(usesTLS: true)
        let options = member.options()
        let log = try EtcdLog(options)
        var writer = ChainWriter(mail)
        #expect(writer.append(3, to: log) == .appended)
        #expect(try EtcdLog(options).bounds(of: mail)?.head == 3)
        for file in [\EtcdLogOptions.caFile, \.certificateFile] as [WritableKeyPath] {
            var wrong = options
            wrong[keyPath: file] = nil
            wrong.deadline = .milliseconds(300)
            let failure = #expect(throws: LogFailure.self) { try EtcdLog(wrong) }
            #expect(failure?.kind == .unavailable)
        }
        try member.remove()
    }

    @Test("A user with a password gets a token, and another one when that is lost")
    func password() throws {
        let member = try EtcdMember()
        var options = member.options()
        let administrator = EtcdClient(options)
        func administer(_ path: String, _ body: String) throws {
            // Sent again, it would be refused.
            _ = try administrator.call(
                "/v3/auth/" + path, Array(body.utf8), deadline: .seconds(20), firstTry: .seconds(20)
            )
        }
        let key = text(Base64.encode(Array((options.prefix + "/").utf8)))
        let end = text(Base64.encode(Array((options.prefix + "0").utf8)))
        try administer("role/add", #"{"name":"root"}"#)
        try administer("role/add", #"{"name":"log"}"#)
        try administer(
            "role/grant",
            #"{"name":"log","perm":{"permType":"READWRITE","key":"\#(key)","range_end":"\#(end)"}}"#
        )
        for (user, role) in [("root", "root"), ("traitd", "log")] {
            try administer("user/add", #"{"name":"\#(user)","password":"secret \#(user)"}"#)
            try administer("user/grant", #"{"user":"\#(user)","role":"\#(role)"}"#)
        }
        try administer("enable", "{}")

        options.deadline = .milliseconds(500)
        #expect(throws: LogFailure.self) { try EtcdLog(options) }
        options.deadline = .seconds(20)
        options.user = "traitd"
        try withTemporaryFile("secret traitd\n") { path in
            options.passwordFile = path
            #expect(chmod(path, 0o644) == 0)
            let refused = #expect(throws: LogFailure.self) { try EtcdLog(options) }
            #expect(refused?.reason.hasSuffix("run: chmod 600 '\(path)'") == true)
            #expect(chmod(path, 0o640) == 0)
            let (log, other) = (try EtcdLog(options), try EtcdLog(options))
            let follower = CountingFollower()
            let subscription = other.follow(follower)
            var writer = ChainWriter(mail)
            #expect(writer.append(to: log) == .appended)
            // etcd forgets its tokens.
            try member.kill()
            try member.start()
            #expect(writer.append(to: log) == .appended)
            try eventually("the watch") { follower.calls(for: mail).joined().contains(2) }
            // Each change of a user makes the tokens of all users old.
            var root = options
            root.user = "root"
            try withTemporaryFile("secret root\n") { rootPath in
                #expect(chmod(rootPath, 0o600) == 0)
                root.passwordFile = rootPath
                let administrator = EtcdClient(root)
                for user in ["root", "traitd", "root"] {
                    _ = try administrator.call(
                        "/v3/auth/user/changepw",
                        Array(#"{"name":"\#(user)","password":"secret \#(user)"}"#.utf8),
                        deadline: .seconds(20))
                    #expect(writer.append(to: log) == .appended)
                }
            }
            var foreign = options
            foreign.prefix = "/another"
            foreign.deadline = .milliseconds(500)
            #expect(throws: LogFailure.self) { try EtcdLog(foreign) }
            withExtendedLifetime(subscription) {}
        }
        try member.remove()
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("A log without a member to reach fails with the reason")
    func noMember() throws {
        let port = try Loopback.freePort()
        var options = EtcdLogOptions(endpoints: ["http://127.0.0.1:\(port)"])
        options.deadline = .milliseconds(100)
        let failure = #expect(throws: LogFailure.self) { try EtcdLog(options) }
        #expect(failure?.kind == .unavailable && failure?.reason.contains("\(port)") == true)
        options.endpoints = []
        #expect(throws: LogFailure.self) { try EtcdLog(options) }
    }

    @Test("A member that does not answer is waited for until the deadline, and no longer")
    func silentMember() throws {
        let (listener, port) = try Loopback.listen()
        var options = EtcdLogOptions(endpoints: ["http://127.0.0.1:\(port)"])
        options.deadline = .milliseconds(500)
        let start = ContinuousClock.now
        let deadline = Deadline(within: .seconds(5))
        let failure = #expect(throws: LogFailure.self) { try EtcdLog(options) }
        #expect(failure?.kind == .unavailable)
        #expect(start.duration(to: .now) >= .milliseconds(490))
        #expect(!deadline.hasPassed)
        close(listener)
    }

    @Test("A member to which no connection is made in time has not been sent the request")
    func unreachableMember() throws {
        let (listener, port) = try Loopback.listen(backlog: 0)
        let transfer = EtcdTransfer(
            url: "http://127.0.0.1:\(port)/v3/kv/txn", headers: [], body: Array("{}".utf8),
            timeout: .seconds(1))
        let connections = try (0..<2).map { _ in try CurlConnection(EtcdLogOptions(endpoints: [])) }
        for (connection, kind) in zip(connections, [EtcdFailure.Kind.unanswered, .notSent]) {
            let failure = #expect(throws: EtcdFailure.self) {
                _ = try connection.post(transfer) { _ in true }
            }
            #expect(failure?.kind == kind)
        }
        close(listener)
    }

    @Test("An answer that ends after some bytes is none")
    func cutAnswer() throws {
        let (listener, port) = try Loopback.listen()
        Thread.detachNewThread {
            let client = accept(listener, nil, nil)
            var request = [UInt8](repeating: 0, count: 65_536)
            _ = recv(client, &request, request.count, 0)
            let part = Array("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".utf8)
            _ = send(client, part, part.count, Int32(MSG_NOSIGNAL))
            close(client)
        }
        let connection = try CurlConnection(EtcdLogOptions(endpoints: []))
        let transfer = EtcdTransfer(
            url: "http://127.0.0.1:\(port)/v3/kv/txn", headers: [], body: Array("{}".utf8),
            timeout: .seconds(5))
        let failure = #expect(throws: EtcdFailure.self) {
            _ = try connection.post(transfer) { _ in true }
        }
        #expect(failure?.kind == .unanswered)
        close(listener)
    }

    @Test("Requests go on with another member when one is gone")
    func rotation() throws {
        let member = try EtcdMember.shared.get()
        var options = member.options()
        options.endpoints = ["http://127.0.0.1:\(try Loopback.freePort())", member.url + "/"]
        let log = try EtcdLog(options)
        var writer = ChainWriter(mail)
        #expect(writer.append(3, to: log) == .appended)
        #expect(try log.confirmedHeads().byName["mail"]?.revision == 3)
    }

    @Test("A member of another cluster is not believed")
    func otherCluster() throws {
        let network = ModelNetwork(.shared, stranger: ModelMember())
        var options = network.options()
        options.endpoints = ["http://model", "http://stranger"]
        let log = try EtcdLog(options)
        var writer = ChainWriter(mail)
        #expect(writer.append(to: log) == .appended)
        network.stop()
        let part = writer.part()
        let results = try concurrently(2) { index in
            if index == 0 { return log.append([part]) }
            try eventually("the stranger") { network.refusals > 1 }
            network.resume()
            return []
        }
        #expect(results[0] == [.appended])
        #expect(try log.confirmedHeads().byName["mail"]?.revision == 2)
    }

    @Test("A role that is revoked while a server runs is told as such, until it is granted again")
    func revoked() throws {
        let member = try EtcdMember()
        let users = try EtcdUsers(member, prefix: "/test/revoked")
        var options = users.options
        options.isMember = true
        let log = try EtcdLog(options)
        var writer = ChainWriter(mail)
        #expect(writer.append(to: log) == .appended)
        #expect(log.contact?.refusal == nil && log.statistics?.denied == 0)
        try users.revoke()
        // Readiness does not depend on a write or a read of a client.
        let deadline = Deadline(within: .seconds(10))
        try eventually("the refusal") { log.contact?.refusal != nil }
        #expect(!deadline.hasPassed)
        #expect(log.contact?.refusal?.contains("permission denied") == true)
        guard case .denied = writer.append(to: log) else {
            Issue.record("an append was not refused")
            return
        }
        #expect(#expect(throws: LogFailure.self) { try log.confirmedHeads() }?.kind == .denied)
        #expect(log.statistics?.denied ?? 0 > 0)
        try users.permit()
        try eventually("the permission") { log.contact?.refusal == nil }
        #expect(writer.append(to: log) == .appended)
        #expect(try log.confirmedHeads().byName["mail"]?.revision == writer.head)
        let restarts = log.statistics?.watchRestarts ?? 0
        try member.kill()
        try member.start()
        try eventually("the watch") { log.statistics?.watchRestarts ?? 0 > restarts }
        try users.remove()
        try member.remove()
    }

    /// What is wrong with the options, and what the failure of a start says.
    private struct WrongSetup {
        let name: String
        let words: String
        let change: (inout EtcdLogOptions) -> Void

        init(_ name: String, _ words: String, _ change: @escaping (inout EtcdLogOptions) -> Void) {
            self.name = name
            self.words = words
            self.change = change
        }
    }

    @Test(
        "Each wrong set-up is told by its reason, and not by the time that the last try had",
        .enabled(if: Certificates.canBeMade))
    func wrongSetups() throws {
        let (plain, secure) = (try EtcdMember(), try EtcdMember(usesTLS: true))
        let users = try EtcdUsers(plain, prefix: "/test/setups")
        let free = try Loopback.freePort()
        let stranger = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
        let others = try Certificates(in: stranger)
        let setups = [
            WrongSetup("https against http", "SSL") {
                $0.endpoints = ["https://127.0.0.1:\(plain.port)"]
            },
            WrongSetup("http against https", "server") {
                $0.endpoints = ["http://127.0.0.1:\(secure.port)"]
            },
            WrongSetup("no client certificate", "alert") {
                $0 = secure.options()
                ($0.certificateFile, $0.keyFile) = (nil, nil)
            },
            WrongSetup("an untrusted authority", "certificate") {
                $0 = secure.options()
                $0.caFile = others.authority
            },
            WrongSetup("no authority", "certificate") {
                $0 = secure.options()
                $0.caFile = nil
            },
            WrongSetup("an authority that is not there", "'/none/ca' of --log-ca cannot be read") {
                $0 = secure.options()
                $0.caFile = "/none/ca"
            },
            WrongSetup(
                "a certificate that is not there", "'/none/cert' of --log-cert cannot be read"
            ) {
                $0 = secure.options()
                $0.certificateFile = "/none/cert"
            },
            WrongSetup("no user", "user name is empty") {
                ($0.user, $0.passwordFile) = (nil, nil)
            },
            WrongSetup("a wrong password", "authentication failed") {
                $0.passwordFile = users.passwordFile(of: "wrong")
            },
            WrongSetup("a user that etcd has not", "authentication failed") { $0.user = "none" },
            WrongSetup("another prefix", "permission denied") { $0.prefix = "/another" },
            WrongSetup("no password file", "the password file '/none/password' cannot be read") {
                $0.passwordFile = "/none/password"
            },
            WrongSetup("no member", "Failed to connect") {
                $0.endpoints = ["http://127.0.0.1:\(free)"]
            },
            WrongSetup("a host that is not there", "not resolve host") {
                $0.endpoints = ["http://etcd.invalid:2379"]
            },
        ]
        for setup in setups {
            var options = users.options
            setup.change(&options)
            (options.firstTry, options.deadline) = (.seconds(2), .seconds(3))
            var failure: LogFailure?
            for _ in 0..<8 {
                failure = #expect(throws: LogFailure.self, "\(setup.name)") {
                    try EtcdLog(options)
                }
                // Then the member's answer was lost, and the next try may get one.
                if failure?.reason.contains("Connection reset") != true { break }
            }
            #expect(
                failure?.reason.contains(setup.words) == true,
                "\(setup.name): \(failure?.reason ?? "")")
            #expect(failure?.reason.contains("timed out after") == false, "\(setup.name)")
        }
        try others.remove()
        try users.remove()
        for member in [plain, secure] { try member.remove() }
    }

    @Test("A log that would lie among the keys of another one is refused")
    func innerPrefix() throws {
        let options = try EtcdMember.shared.get().options()
        _ = try EtcdLog(options)
        for inner in ["/log/x", "/head/a/b", "/name"] {
            var wrong = options
            wrong.prefix += inner
            let failure = #expect(throws: LogFailure.self) { try EtcdLog(wrong) }
            #expect(failure?.reason.contains("give another --log-prefix") == true)
        }
        var beside = options
        beside.prefix += "/mine"
        _ = try EtcdLog(beside)
    }

    @Test("A log that is only read is not made")
    func readOnly() throws {
        var options = try EtcdMember.shared.get().options()
        options.makesLog = false
        let log = try EtcdLog(options)
        #expect(try log.sessions().isEmpty)
        #expect(try log.values(options.prefix + "/").isEmpty)
    }

    @Test("A log of a later release is refused, and so is a cluster that was replaced")
    func epoch() throws {
        let options = try EtcdMember.shared.get().options()
        let log = try EtcdLog(options)
        try log.put(log.keys.epoch, Array("2 tag 1".utf8))
        #expect(
            #expect(throws: LogFailure.self) { try EtcdLog(options) }?.kind
                == .unsupported(version: 2))
        try log.put(log.keys.epoch, Array("1 tag 1".utf8))
        #expect(#expect(throws: LogFailure.self) { try EtcdLog(options) }?.kind == .replaced)
    }
}
