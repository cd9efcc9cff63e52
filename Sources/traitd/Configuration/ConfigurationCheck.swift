// `traitd serve --check-config`: what a start would use, or all that would keep it from starting. The check opens no
// address and writes nothing, so it may run beside the server.

import ArgumentParser
import Glibc
import TraitService

enum ConfigurationCheck {
    /// Shows the settings and ends the process, if they can be used.
    ///
    /// - Throws: all faults, each with the place that it comes from.
    static func run(_ arguments: [String], _ configuration: Configuration) throws {
        var configuration = configuration
        var faults = configuration.faults
        // The parser ends at the first value that it refuses. Each try leaves out those that were refused before.
        while true {
            do {
                let given = try arguments + configuration.arguments()
                let command = try Traitd.parseAsRoot(Configuration.separated(given))
                guard let serve = command as? Serve else {
                    throw ValidationError("--check-config is an option of serve.")
                }
                faults += files(of: serve).map { configuration.placed($0) }
                if faults.isEmpty {
                    Configuration.current.withLock { [configuration] in $0 = configuration }
                    try serve.showSettings()
                    try printLine("traitd: the settings can be used")
                    exit(0)
                }
            } catch let fault as Fault {
                throw fault
            } catch {
                let text = Traitd.message(for: error)
                let code = Traitd.exitCode(for: error).rawValue
                faults.append(
                    configuration.placed(Fault(SafeText.hidingSecrets(text), code: code)))
                let origins = configuration.origins(in: text)
                for origin in origins { configuration.remove(origin.setting.name) }
                if !origins.isEmpty { continue }
            }
            break
        }
        throw Fault(faults.flatMap(\.texts), code: faults[0].code, label: "Error: ")
    }

    /// What is wrong with the files and folders that the settings name.
    private static func files(of serve: Serve) -> [Fault] {
        var faults: [Fault] = []
        let read = [
            ("log-ca", serve.sharing.logCa), ("log-cert", serve.sharing.logCert),
            ("log-key", serve.sharing.logKey),
            ("log-password-file", serve.sharing.logPasswordFile),
        ]
        for (name, path) in read {
            guard let path, let reason = unusable(path, R_OK, isFolder: false) else { continue }
            faults.append(Fault("--\(name) \(path): \(reason)", code: Exit.cannotCreate))
        }
        for path in serve.load where path != "-" {
            guard let reason = unusable(path, R_OK, isFolder: false) else { continue }
            faults.append(Fault("--load \(path): \(reason)", code: Exit.noInput))
        }
        if let path = serve.access.tokens {
            do {
                _ = try TokenFile(path: path).read()
            } catch {
                faults.append(Fault(error.description, code: Exit.configuration))
            }
        }
        // What is not there is made.
        for (name, path, isFolder) in [
            ("data-dir", serve.dataDir, true), ("log-file", serve.logging.logFile, false),
            ("access-log-file", serve.logging.accessLogFile, false),
        ] {
            guard let path else { continue }
            let isThere = access(path, F_OK) == 0
            let reason =
                isThere
                ? unusable(path, R_OK | W_OK, isFolder: isFolder)
                : unusable(Offline.folder(of: path), W_OK | X_OK, isFolder: true)
            if let reason {
                faults.append(Fault("--\(name) \(path): \(reason)", code: Exit.cannotCreate))
            }
        }
        return faults
    }

    /// Why a file or a folder cannot be used; nil when it can.
    private static func unusable(_ path: String, _ mode: Int32, isFolder: Bool) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, access(path, mode) == 0 else {
            return Fault.reason(errno)
        }
        let hasFolder = status.st_mode & S_IFMT == S_IFDIR
        return hasFolder == isFolder ? nil : hasFolder ? "it is a folder" : "it is no folder"
    }
}

extension Configuration {
    /// The fault with the places of the settings that it names before it.
    fileprivate func placed(_ fault: Fault) -> Fault {
        let places = Set(origins(in: fault.description).map(\.source)).sorted()
        guard !places.isEmpty else { return fault }
        return Fault("\(places.joined(separator: ", ")): \(fault)", code: fault.code)
    }
}
