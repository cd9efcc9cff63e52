// An authority and one certificate, for a member with TLS and for its clients.

import Foundation
import TestSupport

struct Certificates: Sendable {
    private static let program = "/usr/bin/openssl"
    static let canBeMade = access(program, X_OK) == 0

    private let folder: String

    init(in folder: String) throws {
        self.folder = folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "subjectAltName=IP:127.0.0.1".write(
            toFile: folder + "/names", atomically: true, encoding: .utf8)
        let request = ["req", "-newkey", "rsa:2048", "-nodes"]
        try run(
            request + ["-x509", "-subj", "/CN=authority", "-keyout", folder + "/ca.key"]
                + ["-out", authority])
        try run(
            request + ["-subj", "/CN=member", "-keyout", key, "-out", folder + "/request"])
        try run(
            ["x509", "-req", "-in", folder + "/request", "-CA", authority]
                + ["-CAkey", folder + "/ca.key", "-CAcreateserial", "-extfile", folder + "/names"]
                + ["-out", certificate])
    }

    var authority: String { folder + "/ca.pem" }
    var certificate: String { folder + "/cert.pem" }
    var key: String { folder + "/key.pem" }

    /// What makes etcd use them.
    var arguments: [String] {
        [
            "--cert-file", certificate, "--key-file", key, "--client-cert-auth",
            "--trusted-ca-file", authority,
        ]
    }

    func remove() throws {
        if FileManager.default.fileExists(atPath: folder) {
            try FileManager.default.removeItem(atPath: folder)
        }
    }

    private func run(_ arguments: [String]) throws {
        let child = try ChildProcess(Self.program, arguments)
        guard try child.waitForExit() == .code(0) else {
            throw TimedOut("openssl: \(child.standardError)")
        }
    }
}
