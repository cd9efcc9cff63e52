// The lines of an answer that is read while it comes.

import Foundation
import TraitClientCore

/// Lines between the connection, which adds them as they come, and one reader, which takes them when it likes.
final class RowFeed: Sendable {
    private struct State {
        var splitter = LineSplitter()
        var added: [[UInt8]] = []
        /// Taken from `added`, the next one last.
        var next: [[UInt8]] = []
        var bytes = 0
        var end: Result<Void, any Error>?
        var waiting: CheckedContinuation<[UInt8]?, any Error>?
        var stop: (@Sendable () -> Void)?

        mutating func pop() -> [UInt8]? {
            if next.isEmpty {
                next = added.reversed()
                added = []
            }
            guard let line = next.popLast() else { return nil }
            bytes -= line.count
            return line
        }
    }
    private let state = Locked(State())

    /// Adds what has come. False when a line is too long, or when more waits than an answer may have.
    func add(_ data: ArraySlice<UInt8>) -> Bool {
        var waiting: CheckedContinuation<[UInt8]?, any Error>?
        var next: [UInt8]?
        let isShort = state.withLock { state -> Bool in
            var lines: [[UInt8]] = []
            let isShort = state.splitter.add(data) { lines.append($0) }
            state.added += lines
            state.bytes += lines.reduce(0) { $0 + $1.count }
            if state.waiting != nil, let line = state.pop() {
                (waiting, next) = (state.waiting, line)
                state.waiting = nil
            }
            return isShort && state.bytes <= Call.answerBytesMax
        }
        waiting?.resume(returning: next)
        return isShort
    }

    /// The answer has ended or, with an error, was lost. The first end counts.
    func finish(_ end: Result<Void, any Error>) {
        let waiting = state.withLock { state in
            if state.end == nil { state.end = end }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(with: end.map { nil })
    }

    /// The next line, or nil after the last one.
    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer = state.withLock { state -> Result<[UInt8]?, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if let line = state.pop() { return .success(line) }
                    if let end = state.end { return end.map { nil } }
                    state.waiting = continuation
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
    }

    /// What ends the connection when the reader stops.
    func whenStopped(_ stop: @escaping @Sendable () -> Void) {
        state.withLock { $0.stop = stop }
    }

    /// The reader wants no more lines.
    func stop() { state.withLock { $0.stop }?() }
}
