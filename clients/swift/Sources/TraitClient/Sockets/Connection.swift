// A connected socket, with or without TLS. Nothing runs while nothing comes.

#if canImport(Glibc) || canImport(Musl)
    import Foundation

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    // Methods of the same names hide the system's functions from a class.
    private func closeSocket(_ descriptor: Int32) { close(descriptor) }
    private func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        // Without the flag a connection that the server has reset ends the process by SIGPIPE.
        send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads and writes on a queue of its owner.
    ///
    /// Sendable without check: the socket is locked; all other properties are used on `queue` alone.
    final class Connection: @unchecked Sendable {
        /// What is read at once. More waits in the system, so that a server that is faster than the callbacks of a
        /// watch takes no memory of the process.
        private static let readBytesMax = 16 << 10
        private static let readsMax = 64

        /// What comes. Set by the owner, which ends with `close`.
        var onBytes: (ArraySlice<UInt8>) -> Void = { _ in }
        /// The connection has ended: the server has closed it, without a failure, or it was lost. Comes once at most.
        var onEnd: (SocketFailure?) -> Void = { _ in }

        private let queue: DispatchQueue
        /// Nil when the connection is closed.
        private let socket: Locked<Int32?>
        private let descriptor: Int32
        private var reading: (any DispatchSourceRead)?
        private var writing: (any DispatchSourceWrite)?
        private var buffer = [UInt8](repeating: 0, count: readBytesMax)
        private var outgoing: ArraySlice<UInt8> = []
        private var isClosed = false
        private let tls: TLSSession?

        /// - Parameter descriptor: a socket that is connected and does not block; the connection closes it.
        init(_ descriptor: Int32, tls: TLSSession?, queue: DispatchQueue) {
            (self.descriptor, self.tls, self.queue) = (descriptor, tls, queue)
            socket = Locked(descriptor)
        }

        func start() {
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            reading = source
            // The source holds the connection until `close`.
            source.setEventHandler { self.receive() }
            source.setCancelHandler { self.free() }
            source.activate()
            tls?.begin()
            handshake()
        }

        /// Ends the connection at once, from any thread; `onEnd` follows.
        func interrupt() {
            socket.withLock { socket in
                if let socket { shutdown(socket, Int32(SHUT_RDWR)) }
            }
        }

        /// Nothing comes after this.
        /// - Parameter isComplete: whether the answer has come to its end. Else the connection is reset, so that a server
        ///   that goes on sending learns of it even if the client has no room for more.
        func close(isComplete: Bool = false) {
            // The number of the socket may belong to another one by now.
            if isClosed { return }
            isClosed = true
            if !isComplete {
                var now = linger(l_onoff: 1, l_linger: 0)
                setsockopt(
                    descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
            }
            (onBytes, onEnd) = ({ _ in }, { _ in })
            interrupt()
            writing?.cancel()
            reading?.cancel()
        }

        /// The socket is closed when no source uses its number any more.
        private func free() {
            reading = nil
            if writing != nil { return }
            let open = socket.withLock { socket in
                defer { socket = nil }
                return socket
            }
            if let open { closeSocket(open) }
        }

        private func end(_ failure: SocketFailure?) {
            let report = onEnd
            close()
            report(failure)
        }

        // MARK: Reading

        /// Reads all that there is, since a source reports a connection that was reset once only. After a while the
        /// others of the queue have their turn.
        private func receive() {
            for _ in 0..<Self.readsMax {
                guard !isClosed, receivePart() else { return }
            }
            queue.async { self.receive() }
        }

        /// Whether there may be more.
        private func receivePart() -> Bool {
            let count = buffer.withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress, $0.count, 0)
            }
            let code = errno
            guard count > 0 else {
                if count < 0, code == EINTR { return true }
                if count < 0, code == EAGAIN { return false }
                // Without the end that TLS has, anybody on the way may have cut the answer.
                let isWhole = tls?.isEnded ?? true
                end(count < 0 ? SocketFailure(errno: code) : isWhole ? nil : .cut)
                return false
            }
            guard let tls else {
                onBytes(buffer[..<count])
                return true
            }
            do throws(SocketFailure) {
                try tls.receive(buffer[..<count]) { onBytes($0[...]) }
                handshake()
            } catch {
                end(error)
            }
            return true
        }

        // MARK: Writing

        func send(_ bytes: [UInt8]) {
            guard let tls else {
                outgoing += bytes
                return flush()
            }
            tls.send(bytes)
            handshake()
        }

        /// Sends what TLS has to say.
        private func handshake() {
            guard let tls else { return }
            outgoing += tls.takeOutgoing()
            flush()
        }

        private func flush() {
            while !outgoing.isEmpty, !isClosed {
                let count = outgoing.withUnsafeBytes {
                    sendBytes(descriptor, $0)
                }
                let code = errno
                if count > 0 {
                    outgoing = outgoing.dropFirst(count)
                } else if count < 0, code == EAGAIN {
                    return awaitRoom()
                } else if count < 0, code != EINTR {
                    // The server may have answered before it closed; the answer is read first.
                    outgoing = []
                }
            }
            outgoing = []
            writing?.cancel()
        }

        /// Goes on when the system takes more. The source exists only as long as there is something to send.
        private func awaitRoom() {
            guard writing == nil else { return }
            let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
            writing = source
            source.setEventHandler { self.flush() }
            source.setCancelHandler {
                self.writing = nil
                if self.reading == nil {
                    self.free()
                } else if !self.outgoing.isEmpty {
                    self.flush()
                }
            }
            source.activate()
        }
    }
#endif
