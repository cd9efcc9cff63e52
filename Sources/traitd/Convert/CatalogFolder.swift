// The files of asset catalogs in a folder.

import Convert
import Glibc

enum CatalogFolder {
    /// The files `Contents.json` of all catalogs in a folder, which may be a catalog itself. Groups stand before what
    /// lies in them, and folders are in the order of their names. Links to folders are not followed.
    ///
    /// - Throws: `Fault` when a file or folder cannot be read, or when there is no catalog.
    static func entries(_ path: String) throws -> [CatalogReader.Entry] {
        var entries: [CatalogReader.Entry] = []
        var found = false
        // Folders that are still to be looked at; nil for the names outside of a catalog.
        var waiting: [(path: String, folders: [String]?)] = [
            (path, isCatalog(path) ? [] : nil)
        ]
        while let (path, folders) = waiting.popLast() {
            let names = try list(path)
            if let folders {
                found = true
                if names.contains(where: { $0.name == "Contents.json" }) {
                    let file = "\(path)/Contents.json"
                    entries.append(
                        CatalogReader.Entry(
                            path: file, folders: folders, text: try InputFile.read(file)))
                }
            }
            for (name, isFolder) in names.reversed() where isFolder {
                let below = "\(path)/\(name)"
                let names = folders.map { $0 + [name] } ?? (isCatalog(name) ? [] : nil)
                waiting.append((below, names))
            }
        }
        if !found {
            throw Fault(
                "there is no asset catalog, a folder *.xcassets, in \(path)", code: Exit.noInput)
        }
        return entries
    }

    private static func isCatalog(_ path: String) -> Bool {
        var path = path[...]
        while path.hasSuffix("/") { path = path.dropLast() }
        return path.hasSuffix(".xcassets")
    }

    /// The names in a folder, sorted, without hidden ones.
    private static func list(_ path: String) throws -> [(name: String, isFolder: Bool)] {
        guard let folder = opendir(path) else {
            throw Fault("cannot read \(path): \(Fault.reason(errno))", code: Exit.noInput)
        }
        defer { closedir(folder) }
        var names: [(name: String, isFolder: Bool)] = []
        while let entry = readdir(folder) {
            let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                let name = String(decoding: bytes, as: UTF8.self)
                throw Fault("the name of \(path)/\(name) is not UTF-8", code: Exit.noInput)
            }
            if name.hasPrefix(".") { continue }
            var status = stat()
            guard lstat("\(path)/\(name)", &status) == 0 else {
                throw Fault(
                    "cannot read \(path)/\(name): \(Fault.reason(errno))", code: Exit.noInput)
            }
            names.append((name, status.st_mode & S_IFMT == S_IFDIR))
        }
        return names.sorted { $0.name < $1.name }
    }
}
