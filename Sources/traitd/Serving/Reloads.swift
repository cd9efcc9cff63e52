// The files that SIGHUP rereads or reopens. Each part with a file of its own adds an entry.

import Logging
import Synchronization

/// The files that are read again on SIGHUP. A file that cannot be read or understood is reported, and
/// what was read from it before stays in effect.
final class Reloads: Sendable {
    private struct Item: Sendable {
        let name: String
        let reread: @Sendable () throws -> Void
    }

    private let items = Mutex<[Item]>([])

    /// - Parameters:
    ///   - name: what is reread, for the log.
    ///   - reread: reads the file again. What it throws is logged; it must leave in effect what was.
    func add(_ name: String, _ reread: @escaping @Sendable () throws -> Void) {
        items.withLock { $0.append(Item(name: name, reread: reread)) }
    }

    /// Rereads everything in the order in which it was added; one failure does not keep the rest from
    /// being read.
    func run(_ logger: Logger) {
        let items = items.withLock { $0 }
        var names: [String] = []
        for item in items {
            do {
                try item.reread()
                names.append(item.name)
            } catch {
                logger.error(
                    "not reread, the old one stays in effect",
                    metadata: ["what": "\(item.name)", "reason": "\(error)"])
            }
        }
        logger.info("reread", metadata: ["what": "\(names.joined(separator: ", "))"])
    }
}
