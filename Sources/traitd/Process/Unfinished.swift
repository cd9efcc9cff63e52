// Files and folders that a command has begun and not finished. SIGINT, SIGTERM and SIGHUP remove them before they
// end the process, so that an interrupted command leaves nothing behind.

import Dispatch
import Glibc
import Synchronization

enum Unfinished {
    private struct Item {
        /// A file, or a folder when `names` is not nil.
        let path: String
        /// The files that the folder may have.
        let names: [String]?
    }

    private static let items = Mutex<[Item]>([])
    private static let watching: Void = watch()

    /// Takes the signals over. To be called on the main thread before any other thread exists: one that does not
    /// block a signal would end the process with what it has begun.
    static func takeOver() { _ = watching }

    /// Makes a file under a name that no other file has: `PREFIX-XXXXXX`.
    ///
    /// - Returns: nil when it cannot be made; `errno` says why.
    static func makeFile(_ prefix: String) -> (descriptor: Int32, path: String)? {
        return items.withLock { items in
            var template = Array("\(prefix)-XXXXXX".utf8CString)
            let descriptor = mkstemp(&template)
            if descriptor < 0 { return nil }
            let path = text(template)
            items.append(Item(path: path, names: nil))
            return (descriptor, path)
        }
    }

    /// Makes a folder under such a name.
    ///
    /// - Parameter names: the files that the folder may get.
    static func makeFolder(_ prefix: String, names: [String]) -> String? {
        return items.withLock { items in
            var template = Array("\(prefix)-XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { return nil }
            let path = text(template)
            items.append(Item(path: path, names: names))
            return path
        }
    }

    /// Notes a data directory that a command fills, where it is not there yet, or only its files, where these are
    /// not.
    static func willFill(_ folder: String, names: [String]) {
        items.withLock { items in
            if access(folder, F_OK) != 0 {
                items.append(Item(path: folder, names: names))
            } else {
                for name in names where access("\(folder)/\(name)", F_OK) != 0 {
                    items.append(Item(path: "\(folder)/\(name)", names: nil))
                }
            }
        }
    }

    /// Marks all files and folders as finished, so that signals keep them.
    static func finishAll() { items.withLock { $0 = [] } }

    /// Gives a file or folder its final name.
    ///
    /// - Returns: whether that was possible; else `errno` says why.
    static func publish(_ path: String, as target: String) -> Bool {
        items.withLock { items in
            guard rename(path, target) == 0 else { return false }
            items.removeAll { $0.path == path }
            return true
        }
    }

    /// Removes all unfinished files and folders.
    static func remove(_ path: String) {
        items.withLock { items in
            for item in items where item.path == path { remove(item) }
            items.removeAll { $0.path == path }
        }
    }

    private static func remove(_ item: Item) {
        guard let names = item.names else {
            unlink(item.path)
            return
        }
        for name in names { unlink("\(item.path)/\(name)") }
        rmdir(item.path)
    }

    private static func text(_ template: [CChar]) -> String {
        String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // MARK: - Signals

    /// Blocks the signals, which new threads inherit, and waits for them on a queue.
    private static func watch() {
        var awaited = sigset_t()
        sigemptyset(&awaited)
        for number in Signals.ending + [SIGHUP] where !isIgnored(number) {
            sigaddset(&awaited, number)
        }
        pthread_sigmask(SIG_BLOCK, &awaited, nil)
        let set = awaited
        let main = pthread_self()
        DispatchQueue(label: "traitd.unfinished").async {
            var set = set
            var number: Int32 = 0
            while sigwait(&set, &number) != 0 {}
            end(number, main)
        }
    }

    /// A shell lets commands in the background ignore SIGINT, and nohup lets them ignore SIGHUP.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Removes everything and ends the process by the signal. The lock stays taken, so nothing is published any more.
    private static func end(_ number: Int32, _ main: pthread_t) {
        items.withLock { items in
            ProgressLine.leave()
            // Made before the main thread stops, which may hold the allocator's lock then.
            let paths = items.flatMap { item in
                (item.names ?? []).map { strdup("\(item.path)/\($0)") } + [strdup(item.path)]
            }
            stop(main)
            for case let path? in paths { Glibc.remove(path) }
            signal(number, SIG_DFL)
            var one = sigset_t()
            sigemptyset(&one)
            sigaddset(&one, number)
            pthread_sigmask(SIG_UNBLOCK, &one, nil)
            kill(getpid(), number)
            _exit(128 &+ number)
        }
    }

    private static let isStopped = Atomic<Bool>(false)

    /// Stops the main thread where it is: it would make files again behind those that are removed. A call that
    /// waits for a disk ends first, for a second at most.
    private static func stop(_ main: pthread_t) {
        isStopped.store(false, ordering: .relaxed)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            Unfinished.isStopped.store(true, ordering: .releasing)
            while true { pause() }
        }
        guard sigaction(SIGUSR1, &action, nil) == 0, pthread_kill(main, SIGUSR1) == 0 else {
            return
        }
        for _ in 0..<1_000 where !isStopped.load(ordering: .acquiring) { usleep(1_000) }
    }
}
