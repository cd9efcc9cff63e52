// The transport on Linux: HTTP/1.1 over sockets. URLSession there wakes up all the time while a stream rests, and sends
// some requests twice.

#if canImport(Glibc) || canImport(Musl)
    import Foundation
    import TraitClientCore

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// A request that is being carried out, or waits for its turn.
    ///
    /// Sendable without check: `shared` is locked; all other mutable properties are used on the transport's queue alone.
    final class Transfer: @unchecked Sendable {
        fileprivate struct Shared {
            var receiver: TransferReceiver?
            var connection: Connection?
        }
        fileprivate let shared: Locked<Shared>
        fileprivate let request: Request
        fileprivate let transport: Transport
        fileprivate var dialing: Dialing?
        fileprivate var isActive = false

        fileprivate init(
            _ request: Request, _ transport: Transport, _ receiver: @escaping TransferReceiver
        ) {
            (self.request, self.transport) = (request, transport)
            shared = Locked(Shared(receiver: receiver))
        }

        /// Closes the connection at once. No event comes after this call, except one that is being delivered.
        func cancel() {
            shared.withLock { $0.receiver = nil }
            let connection = shared.withLock { $0.connection }
            connection?.interrupt()
            transport.queue.async { self.transport.drop(self) }
        }

        fileprivate var isCancelled: Bool { shared.withLock { $0.receiver == nil } }

        fileprivate func deliver(_ event: TransferEvent) { shared.withLock { $0.receiver }?(event) }

        /// The connection that `cancel` closes from now on.
        fileprivate func hold(_ connection: Connection?) {
            shared.withLock { $0.connection = connection }
        }
    }

    /// Sendable without check: `shared` is locked; all other mutable properties are used on `queue` alone.
    final class Transport: @unchecked Sendable {
        /// More requests at one time wait for their turn.
        private static let connectionsMax = 64
        private static let idleConnectionsMax = 8
        private static let idleSeconds = 30.0

        private struct Shared {
            var isInvalid = false
            var transfers: [ObjectIdentifier: Transfer] = [:]
        }
        private let shared = Locked(Shared())
        fileprivate let queue: DispatchQueue
        private let names = DispatchQueue(label: "TraitClient.names")
        private let keepsConnections: Bool
        private var active = 0
        private var waiting: ArraySlice<Transfer> = []
        /// Connections without a request, the last one used last, and since when.
        private var idle: [(connection: Connection, since: DispatchTime)] = []
        private var closesIdle = false

        /// - Parameter keepsConnections: whether a request may use the connection of an earlier one.
        init(queue: DispatchQueue, keepsConnections: Bool) {
            (self.queue, self.keepsConnections) = (queue, keepsConnections)
        }

        /// Sends the request. Nil after `invalidate`.
        func send(_ request: Request, _ receiver: @escaping TransferReceiver) -> Transfer? {
            let transfer = Transfer(request, self, receiver)
            let isInvalid = shared.withLock { shared in
                if !shared.isInvalid { shared.transfers[ObjectIdentifier(transfer)] = transfer }
                return shared.isInvalid
            }
            if isInvalid { return nil }
            queue.async { [self] in
                if active < Self.connectionsMax {
                    begin(transfer)
                } else {
                    waiting.append(transfer)
                }
            }
            return transfer
        }

        /// Cancels all transfers, and closes all connections.
        func invalidate() {
            let transfers = shared.withLock { shared in
                shared.isInvalid = true
                return Array(shared.transfers.values)
            }
            for transfer in transfers { transfer.cancel() }
            queue.async { [self] in
                for (connection, _) in idle { connection.close(isComplete: true) }
                idle = []
            }
        }

        private func begin(_ transfer: Transfer) {
            if transfer.isCancelled { return }
            active += 1
            transfer.isActive = true
            transfer.deliver(.begun)
            if let connection = idle.popLast()?.connection { return use(connection, transfer) }
            let origin = transfer.request.origin
            do throws(SocketFailure) {
                let tls = origin.isSecure ? try TLSSession(host: origin.host) : nil
                transfer.dialing = Dialing(origin, names: names, queue: queue) { [self] dialed in
                    transfer.dialing = nil
                    switch dialed {
                    case .success(let descriptor):
                        let connection = Connection(descriptor, tls: tls, queue: queue)
                        connection.start()
                        use(connection, transfer)
                    case .failure(let failure): finish(transfer, failure.reason)
                    }
                }
            } catch {
                finish(transfer, error.reason)
            }
        }

        private func use(_ connection: Connection, _ transfer: Transfer) {
            transfer.hold(connection)
            var reader = AnswerReader(method: transfer.request.method)
            var isComplete = false
            func deliver(_ event: AnswerReader.Event) {
                switch event {
                case .head(let head): transfer.deliver(.head(head))
                case .data(let bytes): transfer.deliver(.data(bytes))
                case .end: isComplete = true
                }
            }
            connection.onBytes = { [self] bytes in
                do throws(MalformedAnswer) {
                    try reader.read(bytes, deliver)
                    guard isComplete else { return }
                    let isReusable = reader.isReusable && keepsConnections
                    finish(transfer, nil, keeping: isReusable ? connection : nil)
                } catch {
                    finish(transfer, error.reason)
                }
            }
            connection.onEnd = { [self] failure in
                do throws(MalformedAnswer) {
                    if failure == nil { try reader.close(deliver) }
                    finish(transfer, failure?.reason)
                } catch {
                    finish(transfer, error.reason)
                }
            }
            // It may have been cancelled while it had no connection to close.
            if transfer.isCancelled { return drop(transfer) }
            connection.send(transfer.request.bytes)
        }

        private func finish(
            _ transfer: Transfer, _ reason: String?, keeping kept: Connection? = nil
        ) {
            if let kept {
                transfer.hold(nil)
                keep(kept, unless: transfer.isCancelled)
            }
            drop(transfer, isComplete: reason == nil)
            transfer.deliver(.end(reason))
        }

        /// Ends what the transfer has, and gives its turn to the next one.
        fileprivate func drop(_ transfer: Transfer, isComplete: Bool = false) {
            transfer.dialing?.cancel()
            transfer.dialing = nil
            transfer.shared.withLock { $0.connection }?.close(isComplete: isComplete)
            transfer.hold(nil)
            _ = shared.withLock { $0.transfers.removeValue(forKey: ObjectIdentifier(transfer)) }
            guard transfer.isActive else { return }
            transfer.isActive = false
            active -= 1
            // Not here: a long row of requests that fail at once would be a deep recursion.
            queue.async { [self] in
                while active < Self.connectionsMax, let next = waiting.popFirst() { begin(next) }
            }
        }

        // MARK: Connections at rest

        private func keep(_ connection: Connection, unless isCancelled: Bool) {
            let isInvalid = shared.withLock { $0.isInvalid }
            // Those that wait take it in a moment.
            let idleMax = waiting.isEmpty ? Self.idleConnectionsMax : Self.connectionsMax
            guard !isCancelled, !isInvalid, idle.count < idleMax else {
                return connection.close(isComplete: true)
            }
            // The server closes it, or sends what no request asked for.
            let drop = { [weak self] in
                connection.close(isComplete: true)
                self?.idle.removeAll { $0.connection === connection }
            }
            connection.onBytes = { _ in drop() }
            connection.onEnd = { _ in drop() }
            idle.append((connection, .now()))
            closeIdleLater()
        }

        private func closeIdleLater() {
            if closesIdle { return }
            closesIdle = true
            queue.asyncAfter(deadline: .now() + Self.idleSeconds) { [weak self] in
                guard let self else { return }
                closesIdle = false
                let last = DispatchTime.now() - Self.idleSeconds
                for (connection, since) in idle where since <= last {
                    connection.close(isComplete: true)
                }
                idle.removeAll { $0.since <= last }
                if !idle.isEmpty { closeIdleLater() }
            }
        }
    }
#endif
