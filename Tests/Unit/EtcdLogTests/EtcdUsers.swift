// Users of one member of etcd: `root`, and `traitd` with a role for one prefix.

import Foundation

@testable import EtcdLog

/// The password of a user is `secret` and the name.
final class EtcdUsers {
    private let administrator: EtcdClient
    private let folder: String
    private let member: EtcdMember
    private let prefix: String

    init(_ member: EtcdMember, prefix: String) throws {
        self.member = member
        self.prefix = prefix
        folder =
            FileManager.default.temporaryDirectory.appending(path: "traitd-users-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var options = member.options()
        options.user = "root"
        options.passwordFile = "\(folder)/root"
        administrator = EtcdClient(options)
        for user in ["root", "traitd", "wrong"] {
            let path = passwordFile(of: user)
            try "secret \(user)\n".write(toFile: path, atomically: true, encoding: .utf8)
            chmod(path, 0o600)
        }
        // Without users, etcd refuses a login.
        let first = EtcdClient(member.options())
        func administer(_ path: String, _ body: String) throws {
            // Sent again, it would be refused.
            _ = try first.call(
                "/v3/auth/" + path, Array(body.utf8), deadline: .seconds(20), firstTry: .seconds(20)
            )
        }
        for role in ["root", "log"] { try administer("role/add", #"{"name":"\#(role)"}"#) }
        try administer("role/grant", grant)
        for (user, role) in [("root", "root"), ("traitd", "log")] {
            try administer("user/add", #"{"name":"\#(user)","password":"secret \#(user)"}"#)
            try administer("user/grant", #"{"user":"\#(user)","role":"\#(role)"}"#)
        }
        try administer("enable", "{}")
    }

    func passwordFile(of user: String) -> String { "\(folder)/\(user)" }

    /// Options with the user of the log.
    var options: EtcdLogOptions {
        var options = member.options(prefix: prefix)
        options.user = "traitd"
        options.passwordFile = passwordFile(of: "traitd")
        return options
    }

    private var range: (key: String, end: String) {
        func text(_ key: String) -> String {
            String(decoding: Base64.encode(Array(key.utf8)), as: UTF8.self)
        }
        return (text(prefix + "/"), text(prefix + "0"))
    }

    private var grant: String {
        #"{"name":"log","perm":{"permType":"READWRITE","key":"\#(range.key)","range_end":"\#(range.end)"}}"#
    }

    func permit() throws { try send("role/grant", grant) }

    func revoke() throws {
        try send(
            "role/revoke", #"{"role":"log","key":"\#(range.key)","range_end":"\#(range.end)"}"#)
    }

    private func send(_ path: String, _ body: String) throws {
        _ = try administrator.call("/v3/auth/" + path, Array(body.utf8), deadline: .seconds(20))
    }

    func remove() throws { try FileManager.default.removeItem(atPath: folder) }
}
