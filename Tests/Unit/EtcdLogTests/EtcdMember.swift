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
    private let name: String
    private let peer: String
    /// The names and addresses of all members, as they find each other.
    private let cluster: String
    private let folder: String
    private let process = Mutex<ChildProcess?>(nil)
    private let certificates: Certificates?

    private let arguments: [String]

    /// - Parameters:
    ///   - usesTLS: whether clients need a certificate of an authority that is made for this member.
    ///   - arguments: further ones for etcd.
    convenience init(usesTLS: Bool = false, arguments: [String] = []) throws {
        let port = try Loopback.freePort()
        try self.init(
            "m0", peerPort: port, cluster: "m0=\(Self.peer(port))", usesTLS: usesTLS, arguments)
    }

    /// Members of one cluster, which are started.
    static func cluster(_ count: Int) throws -> [EtcdMember] {
        let ports = try (0..<count).map { _ in try Loopback.freePort() }
        let cluster = ports.enumerated().map { "m\($0)=\(peer($1))" }.joined(separator: ",")
        return try ports.enumerated().map {
            try EtcdMember("m\($0)", peerPort: $1, cluster: cluster)
        }
    }

    private init(
        _ name: String, peerPort: UInt16, cluster: String, usesTLS: Bool = false,
        _ arguments: [String] = []
    ) throws {
        self.arguments = arguments
        self.name = name
        self.cluster = cluster
        port = try Loopback.freePort()
        peer = Self.peer(peerPort)
        folder =
            FileManager.default.temporaryDirectory
            .appending(path: "traitd-etcd-\(UUID().uuidString)").path
        certificates = usesTLS ? try Certificates(in: folder + "-tls") : nil
        EtcdMembers.shared.add(self)
        try start()
    }

    private static func peer(_ port: UInt16) -> String { "http://127.0.0.1:\(port)" }

    var url: String { "\(certificates == nil ? "http" : "https")://127.0.0.1:\(port)" }

    /// Options for a log that is empty, unless it is given another one's prefix.
    func options(prefix: String = "/test/\(UUID().uuidString)") -> EtcdLogOptions {
        var options = EtcdLogOptions(endpoints: [url])
        options.prefix = prefix
        options.isMember = false
        options.caFile = certificates?.authority
        options.certificateFile = certificates?.certificate
        options.keyFile = certificates?.key
        return options
    }

    func start() throws {
        let child = try ChildProcess(
            Self.program ?? "etcd",
            [
                "--data-dir", folder, "--name", name, "--logger", "zap", "--log-level", "error",
                "--listen-client-urls", url, "--advertise-client-urls", url,
                "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
                "--initial-cluster", cluster,
            ] + (certificates?.arguments ?? []) + arguments)
        process.withLock { $0 = child }
    }

    func signal(_ number: Int32) { process.withLock { $0 }?.signal(number) }

    /// As a crash would end it.
    func kill() throws {
        let child = process.withLock { $0 }
        child?.signal(SIGKILL)
        _ = try child?.waitForExit()
    }

    /// Copies what the member has, as a backup.
    func save() throws {
        try kill()
        try FileManager.default.copyItem(atPath: folder, toPath: folder + "-backup")
        try start()
    }

    /// Puts the backup in the place of what the member has.
    func restore() throws {
        try kill()
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.moveItem(atPath: folder + "-backup", toPath: folder)
        try start()
    }

    // MARK: - etcd's own snapshots

    private static let controls = ["/usr/bin/etcdctl", "/usr/local/bin/etcdctl"]
    private static let control = controls.first { access($0, X_OK) == 0 }
    static let hasControl = isInstalled && control != nil

    private var snapshot: String { folder + "-snapshot" }

    /// Runs etcdctl, and returns what it prints.
    @discardableResult
    func control(_ arguments: [String]) throws -> String {
        let child = try ChildProcess(
            Self.control ?? "etcdctl", ["--endpoints", url] + arguments,
            environment: ["ETCDCTL_API": "3"])
        guard try child.waitForExit() == .code(0) else {
            throw POSIXError(.EIO, userInfo: ["etcdctl": child.standardError])
        }
        return child.standardOutput
    }

    func saveSnapshot() throws { try control(["snapshot", "save", snapshot]) }

    /// Puts the snapshot in the place of what the member has.
    ///
    /// - Parameter token: another one than etcd's default makes another cluster id.
    func restoreSnapshot(token: String = "etcd-cluster") throws {
        try kill()
        try FileManager.default.removeItem(atPath: folder)
        try control([
            "snapshot", "restore", snapshot, "--name", name, "--data-dir", folder,
            "--initial-cluster", cluster, "--initial-advertise-peer-urls", peer,
            "--initial-cluster-token", token,
        ])
        try start()
    }

    /// Ends the process for good.
    func remove() throws {
        try kill()
        if FileManager.default.fileExists(atPath: folder) {
            try FileManager.default.removeItem(atPath: folder)
        }
        if FileManager.default.fileExists(atPath: snapshot) {
            try FileManager.default.removeItem(atPath: snapshot)
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
