// Races are made with threads of their own: the pool that runs the tests has one thread a core,
// and blocking all of them would stop the very tests that must make progress.

import Foundation

/// Runs `body(0) … body(count - 1)` at the same time, each on its own thread.
///
/// Returns the results by index; throws the first error after all have finished.
package func concurrently<Result: Sendable>(
    _ count: Int, within limit: Duration = .seconds(60),
    _ body: @escaping @Sendable (Int) throws -> Result
) throws -> [Result] {
    let finished = Mailbox<(Int, Swift.Result<Result, any Error>), Never>()
    for index in 0..<count {
        let thread = Thread {
            finished.put((index, Swift.Result { try body(index) }))
        }
        thread.stackSize = 1 << 20
        thread.start()
    }
    let deadline = Deadline(within: limit)
    var results: [(Int, Result)] = []
    var failure: (any Error)?
    for done in 0..<count {
        switch try finished.take(before: deadline, "thread \(done + 1) of \(count)") {
        case .element((let index, .success(let result))): results.append((index, result))
        case .element((_, .failure(let error))): failure = failure ?? error
        }
    }
    if let failure { throw failure }
    return results.sorted { $0.0 < $1.0 }.map(\.1)
}
