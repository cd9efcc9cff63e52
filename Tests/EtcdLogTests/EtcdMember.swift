// One member of etcd for all tests of this module. Each test has a prefix of its own.

import EtcdLog
import Foundation
import Synchronization
import TestSupport

/// A process of etcd on loopback, with a folder that is removed at the end.
final class EtcdMember: Sendable {
    /// Where Debian and the image of etcd have the program.
    private static let places = ["/usr/bin/etcd", "/usr/local/bin/etcd"]
    private static let program = places.first { access($0, X_OK) == 0 }

    static let isInstalled: Bool = {
        if program == nil { print("Tests with etcd are skipped: it is not installed.") }
        return program != nil
    }()

    /// The member that all tests share which do not stop it.
    static let shared = Result { try EtcdMember() }

    let port: UInt16
    private let peerPort: UInt16
    private let folder: String
    private let process: Mutex<ChildProcess?>
    private let certificates: Certificates?

    /// - Parameter usesTLS: whether clients need a certificate of an authority that is made for this member.
    init(usesTLS: Bool = false) throws {
        port = try Loopback.freePort()
        peerPort = try Loopback.freePort()
        folder =
            FileManager.default.temporaryDirectory
            .appending(path: "traitd-etcd-\(UUID().uuidString)").path
        process = Mutex(nil)
        certificates = usesTLS ? try Certificates(in: folder + "-tls") : nil
        EtcdMembers.shared.add(self)
        try start()
    }

    var url: String { "\(certificates == nil ? "http" : "https")://127.0.0.1:\(port)" }

    /// Options for a log that is empty, unless it is given another one's prefix.
    func options(prefix: String = "/test/\(UUID().uuidString)") -> EtcdLogOptions {
        var options = EtcdLogOptions(endpoints: [url])
        options.prefix = prefix
        options.caFile = certificates?.authority
        options.certificateFile = certificates?.certificate
        options.keyFile = certificates?.key
        return options
    }

    func start() throws {
        let peer = "http://127.0.0.1:\(peerPort)"
        let child = try ChildProcess(
            Self.program ?? "etcd",
            [
                "--data-dir", folder, "--name", "one", "--logger", "zap", "--log-level", "error",
                "--listen-client-urls", url, "--advertise-client-urls", url,
                "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
                "--initial-cluster", "one=\(peer)",
            ] + (certificates?.arguments ?? []))
        process.withLock { $0 = child }
    }

    /// As a crash would end it.
    func kill() throws {
        let child = process.withLock { $0 }
        child?.signal(SIGKILL)
        _ = try child?.waitForExit()
    }

    /// Ends the process for good.
    func remove() throws {
        try kill()
        if FileManager.default.fileExists(atPath: folder) {
            try FileManager.default.removeItem(atPath: folder)
        }
        try certificates?.remove()
    }
}

/// Ends the members when the test process exits, and removes their folders.
private final class EtcdMembers: Sendable {
    static let shared = EtcdMembers()
    private let members = Mutex<[EtcdMember]>([])

    private init() {
        atexit {
            for member in EtcdMembers.shared.members.withLock({ $0 }) {
                do { try member.remove() } catch { print("etcd: \(error)") }
            }
        }
    }

    func add(_ member: EtcdMember) { members.withLock { $0.append(member) } }
}
