// The pieces of a snapshot on their way to etcd while the next ones are packed: one at a time, so that appends come in
// between.

import Background
import SessionLog
import Synchronization

/// Writes the pieces of one value in order. `send` and `finish` are called by one thread.
final class PieceSender: Sendable {
    private struct State {
        var pieces = 0
        var bytes = 0
        var failure: EtcdFailure?
    }

    private let reader: RowReader
    private let prefix: String
    private let queue = WorkQueue("traitd.pieces")
    /// One piece is sent while another waits and a third one is made.
    private let room = Signal(2)
    private let state = Mutex(State())

    init(_ reader: RowReader, _ prefix: String) {
        self.reader = reader
        self.prefix = prefix
    }

    /// Has the next piece written. Blocks while two others are.
    ///
    /// - Throws: why an earlier piece was not written.
    func send(_ piece: [UInt8]) throws(LogFailure) {
        room.wait()
        let (index, failure) = state.withLock { state in
            state.pieces += 1
            state.bytes += piece.count
            return (state.pieces - 1, state.failure)
        }
        if let failure {
            room.signal()
            throw failure.logFailure
        }
        queue.async { [self] in
            write(piece, at: index)
            room.signal()
        }
    }

    private func write(_ piece: [UInt8], at index: Int) {
        if state.withLock({ $0.failure != nil }) { return }
        do throws(EtcdFailure) {
            try reader.write(piece, at: index, prefix, deadline: reader.client.options.deadline)
        } catch {
            state.withLock { $0.failure = error }
        }
    }

    /// Waits until all pieces are written.
    ///
    /// - Throws: why one was not.
    func finish() throws(LogFailure) -> (pieces: Int, bytes: Int) {
        queue.sync {}
        let state = state.withLock(\.self)
        if let failure = state.failure { throw failure.logFailure }
        return (state.pieces, state.bytes)
    }
}
