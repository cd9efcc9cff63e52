// How a shard comes to its end: first politely, then not.

import Glibc

extension Shard {
    /// Accepts nothing more, ends streams, finishes the requests that have begun, closes the rest.
    /// `done` is called once no connection is left.
    func drain(_ done: @escaping @Sendable () -> Void) {
        if isStopped { return done() }
        drained.append(done)
        guard !isDraining else {
            if connectionCount == 0 { reportDrained() }
            return
        }
        isDraining = true
        closeListener()
        for connection in connections {
            guard let connection else { continue }
            switch connection.phase {
            case .reading: closeIfIdle(connection)
            case .waiting:
                connection.resumeParked(.draining)
                connection.settle()
            case .streaming: connection.endStream(.draining)
            default: break
            }
        }
        if connectionCount == 0 { reportDrained() }
    }

    /// A request may have come that was not seen yet.
    func closeIfIdle(_ connection: Connection) {
        guard connection.outbound == nil, !connection.isQueued else { return }
        connection.readable()
        if connection.phase == .reading, connection.inbound == nil, connection.outbound == nil {
            connection.close()
        }
    }

    func closeAll() {
        for connection in connections { connection?.close() }
    }

    /// Closes every descriptor; the epoll set's own when Dispatch has let go of it.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        closeListener()
        closeAll()
        for letter in letters[lettersRead...] { discard(letter) }
        letters.removeAll()
        lettersRead = 0
        for letter in mailbox.close() { discard(letter) }
        nextTurn.removeAll()
        reportDrained()
        timer?.cancel()
        timer = nil
        source?.cancel()
    }

    private func discard(_ letter: Letter) {
        if case .accepted(let descriptor, _) = letter {
            close(descriptor)
            admission.leave()
        }
    }

    private func closeListener() {
        guard let listener else { return }
        self.listener = nil
        listener.close()
    }
}
