// The files of a data directory that are opened beside SQLite. The product gets them from the system. A simulation takes
// their place, once and before the first log is opened, so that a power cut finds them, too.

import CSQLite
import Glibc

/// What a simulation provides in place of the system. Each function ends as the system call does, `errno` included.
package protocol LogFiles: AnyObject {
    func open(_ path: String, _ flags: Int32) -> Int32
    func close(_ descriptor: Int32)
    func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer, at offset: Int) -> Int
    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int
    func flush(_ descriptor: Int32) -> Int32
    /// - Parameter operation: of `flock`.
    func lock(_ descriptor: Int32, _ operation: Int32) -> Int32
    func remove(_ path: String) -> Int32
    /// The size of a file, and the number that tells it from others; nil when it is not there.
    func status(_ path: String) -> (size: Int64, number: UInt64)?
}

package enum SystemFiles {
    /// Nil in the product.
    @exclusivity(unchecked)
    nonisolated(unsafe) package static var simulated: (any LogFiles)?

    /// Opens a file, or makes one for its owner alone.
    static func open(_ path: String, _ flags: Int32) -> Int32 {
        simulated?.open(path, flags) ?? Glibc.open(path, flags | O_CLOEXEC, 0o600)
    }

    static func close(_ descriptor: Int32) {
        if let simulated { return simulated.close(descriptor) }
        _ = Glibc.close(descriptor)
    }

    static func read(
        _ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer, at offset: Int
    ) -> Int {
        simulated?.read(descriptor, bytes, at: offset)
            ?? pread(descriptor, bytes.baseAddress, bytes.count, offset)
    }

    static func write(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int
    ) -> Int {
        simulated?.write(descriptor, bytes, at: offset)
            ?? pwrite(descriptor, bytes.baseAddress, bytes.count, offset)
    }

    static func flush(_ descriptor: Int32) -> Int32 {
        simulated?.flush(descriptor) ?? fsync(descriptor)
    }

    static func lock(_ descriptor: Int32, _ operation: Int32) -> Int32 {
        simulated?.lock(descriptor, operation) ?? flock(descriptor, operation)
    }

    static func remove(_ path: String) -> Int32 { simulated?.remove(path) ?? unlink(path) }

    /// Bytes of a file; nil when it is not there.
    static func size(_ path: String) -> Int64? {
        if let simulated { return simulated.status(path)?.size }
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }
}

/// Which file a path leads to, to find out that it was removed or replaced.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    init?(_ path: String) {
        var (device, number): (UInt64, UInt64) = (0, 0)
        if let files = SystemFiles.simulated {
            guard let status = files.status(path) else { return nil }
            number = status.number
        } else if traitd_file_identity(path, &device, &number) != 0 {
            return nil
        }
        self.device = device
        self.number = number
    }
}
