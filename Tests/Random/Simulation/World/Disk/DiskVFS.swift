// The simulated disk as SQLite's default VFS in the process of a world. SQLite takes its random numbers from the default
// one, once a process.

import CSQLite
import Glibc
import SeededRandom
import Simulated

/// What SQLite has of an open file.
private struct OpenFile {
    var base = sqlite3_file()
    var descriptor: Int32 = 0
    /// Whether the folder is flushed with the first flush of the file, as SQLite does with a log that it has made.
    var isNew = false
}

enum DiskVFS {
    // Set once, before SQLite is used.
    nonisolated(unsafe) private static var disk: SimulatedDisk?
    nonisolated(unsafe) private static var random = SeededRandom(seed: 0)

    private static func use<R>(_ body: (SimulatedDisk) -> R) -> R {
        guard let disk else { preconditionFailure("SQLite is used before there is a disk") }
        return body(disk)
    }

    /// An extended result code of an input or output that failed.
    private static func failure(_ number: Int32) -> Int32 { SQLITE_IOERR | number << 8 }

    private static func of(_ file: UnsafeMutablePointer<sqlite3_file>?)
        -> UnsafeMutablePointer<OpenFile>
    {
        guard let file else { preconditionFailure("SQLite names no file") }
        return UnsafeMutableRawPointer(file).assumingMemoryBound(to: OpenFile.self)
    }

    private static func text(_ text: UnsafePointer<CChar>?) -> String {
        text.map { String(cString: $0) } ?? ""
    }

    nonisolated(unsafe) private static let methods: UnsafePointer<sqlite3_io_methods> = {
        var methods = sqlite3_io_methods()
        methods.iVersion = 1
        methods.xClose = { file in
            use { $0.close(of(file).pointee.descriptor) }
            return SQLITE_OK
        }
        methods.xRead = { file, bytes, count, offset in
            let bytes = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
            let done = use { $0.read(of(file).pointee.descriptor, bytes, at: Int(offset)) }
            if done < 0 { return failure(1) }
            // A short read.
            for place in done..<bytes.count { bytes[place] = 0 }
            return done < bytes.count ? failure(2) : SQLITE_OK
        }
        methods.xWrite = { file, bytes, count, offset in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: Int(count))
            let done = use { $0.write(of(file).pointee.descriptor, bytes, at: Int(offset)) }
            if done == bytes.count { return SQLITE_OK }
            return errno == ENOSPC ? SQLITE_FULL : failure(3)
        }
        methods.xTruncate = { file, size in
            use { $0.resize(of(file).pointee.descriptor, to: Int(size)) } == 0
                ? SQLITE_OK : failure(6)
        }
        methods.xSync = { file, _ in
            if use({ $0.flush(of(file).pointee.descriptor) }) != 0 { return failure(4) }
            guard of(file).pointee.isNew else { return SQLITE_OK }
            of(file).pointee.isNew = false
            return flushFolder()
        }
        methods.xFileSize = { file, size in
            size?.pointee = Int64(use { $0.size(of(file).pointee.descriptor) })
            return SQLITE_OK
        }
        methods.xLock = { file, level in
            use { $0.take(level, of: of(file).pointee.descriptor) } ? SQLITE_OK : SQLITE_BUSY
        }
        methods.xUnlock = { file, level in
            use { $0.loosen(of(file).pointee.descriptor, to: level) }
            return SQLITE_OK
        }
        methods.xCheckReservedLock = { _, isReserved in
            isReserved?.pointee = 0
            return SQLITE_OK
        }
        methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        methods.xSectorSize = { _ in 4_096 }
        methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
        let made = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        made.initialize(to: methods)
        return UnsafePointer(made)
    }()

    private static func flushFolder() -> Int32 {
        use { disk in
            let folder = disk.open(SimulatedDisk.folder, O_DIRECTORY)
            defer { disk.close(folder) }
            return disk.flush(folder) == 0 ? SQLITE_OK : failure(5)
        }
    }

    nonisolated(unsafe) private static let vfs: UnsafeMutablePointer<sqlite3_vfs> = {
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: sqlite3_vfs())
        vfs.pointee.iVersion = 1
        vfs.pointee.szOsFile = Int32(MemoryLayout<OpenFile>.size)
        vfs.pointee.mxPathname = 512
        vfs.pointee.zName = UnsafePointer(strdup("simulated"))
        vfs.pointee.xOpen = { _, name, file, flags, _ in
            let path = text(name)
            let isNew = use { $0.status(path) } == nil && flags & SQLITE_OPEN_MAIN_DB == 0
            let creates = flags & SQLITE_OPEN_CREATE == 0 ? 0 : O_CREAT
            let descriptor = use { $0.open(path, O_RDWR | creates) }
            of(file).initialize(to: OpenFile(descriptor: descriptor, isNew: isNew))
            if descriptor < 0 { return SQLITE_CANTOPEN }
            of(file).pointee.base.pMethods = methods
            return SQLITE_OK
        }
        vfs.pointee.xDelete = { _, name, syncs in
            if use({ $0.remove(text(name)) }) != 0 { return failure(errno == ENOENT ? 23 : 10) }
            return syncs == 0 ? SQLITE_OK : flushFolder()
        }
        vfs.pointee.xAccess = { _, name, _, isThere in
            isThere?.pointee = use { $0.status(text(name))?.size ?? 0 } > 0 ? 1 : 0
            return SQLITE_OK
        }
        vfs.pointee.xFullPathname = { _, name, count, path in
            if let path, let name { strncpy(path, name, Int(count)) }
            return SQLITE_OK
        }
        vfs.pointee.xRandomness = { _, count, bytes in
            for place in 0..<Int(count) {
                bytes?[place] = CChar(truncatingIfNeeded: random.next())
            }
            return count
        }
        vfs.pointee.xSleep = { _, _ in 0 }
        vfs.pointee.xCurrentTime = { _, days in
            days?.pointee = 2_460_000
            return SQLITE_OK
        }
        vfs.pointee.xGetLastError = { _, _, _ in 0 }
        return vfs
    }()

    /// Makes the disk the default of this process.
    static func install(_ disk: SimulatedDisk, seed: UInt64) {
        self.disk = disk
        random = SeededRandom(seed: seed, for: "sqlite")
        sqlite3_vfs_register(vfs, 1)
    }
}
