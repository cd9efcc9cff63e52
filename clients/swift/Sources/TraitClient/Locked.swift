// A value that several threads share. Mutex of Synchronization needs macOS 15.

import Foundation

/// Lends its value to one thread at a time.
///
/// Sendable without check: the value is reached through `withLock` alone.
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: sending Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
