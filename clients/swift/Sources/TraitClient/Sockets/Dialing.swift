// Connects to a server of which only the name is known: looks up its addresses, and takes the first one that answers.

#if canImport(Glibc) || canImport(Musl)
    import Foundation
    import TraitClientCore

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    struct SocketFailure: Error, Sendable {
        let reason: String

        static let cut = SocketFailure("The connection was cut")

        init(_ reason: String) { self.reason = reason }
        /// The failure of the last call of the system.
        init(errno code: Int32) { reason = String(cString: strerror(code)) }
    }

    /// An address with its port, as the system has it.
    struct SocketAddress: Sendable {
        let family: Int32
        let bytes: [UInt8]

        /// The addresses of a host in the order in which they should be tried. Blocks while a name is looked up.
        static func all(of origin: Origin) throws(SocketFailure) -> [SocketAddress] {
            var hints = addrinfo()
            hints.ai_socktype = streamType
            hints.ai_flags = AI_NUMERICSERV
            var first: UnsafeMutablePointer<addrinfo>?
            let code = getaddrinfo(origin.host, String(origin.port), &hints, &first)
            guard code == 0 else { throw SocketFailure(String(cString: gai_strerror(code))) }
            defer { freeaddrinfo(first) }
            let found = sequence(first: first) { $0?.pointee.ai_next }.prefix { $0 != nil }
            return found.compactMap { entry in
                guard let info = entry?.pointee, let address = info.ai_addr else { return nil }
                let bytes = UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen))
                return SocketAddress(family: info.ai_family, bytes: Array(bytes))
            }
        }

        #if canImport(Glibc)
            static let streamType = Int32(SOCK_STREAM.rawValue)
            private static let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        #else
            static let streamType = SOCK_STREAM
            private static let flags = SOCK_CLOEXEC | SOCK_NONBLOCK
        #endif

        /// A socket that connects to the address. The socket is writable when it is connected, or has failed.
        func connecting() throws(SocketFailure) -> Int32 {
            let descriptor = socket(family, Self.streamType | Self.flags, 0)
            guard descriptor >= 0 else { throw SocketFailure(errno: errno) }
            var on: Int32 = 1
            setsockopt(
                descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on,
                socklen_t(MemoryLayout<Int32>.size))
            let result = bytes.withUnsafeBytes { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) {
                    connect(descriptor, $0.baseAddress, socklen_t(bytes.count))
                }
            }
            let code = errno
            guard result == 0 || code == EINPROGRESS || code == EINTR else {
                close(descriptor)
                throw SocketFailure(errno: code)
            }
            return descriptor
        }
    }

    /// Tries the addresses of a server, a further one every quarter of a second, since an address that never answers
    /// must not keep the next one waiting (RFC 8305).
    ///
    /// Sendable without check: all properties are used on `queue` alone.
    final class Dialing: @unchecked Sendable {
        typealias Completion = @Sendable (Result<Int32, SocketFailure>) -> Void
        private static let nextAddressSeconds = 0.25

        private let queue: DispatchQueue
        private let isCancelled = Locked(false)
        private var completion: Completion?
        private var addresses: ArraySlice<SocketAddress> = []
        private var attempts: [Int32: any DispatchSourceWrite] = [:]
        private var failure = SocketFailure("The host has no address")

        /// - Parameters:
        ///   - names: a serial queue on which names are looked up, which may take seconds.
        ///   - completion: is called once on `queue`, unless `cancel` was called before, and owns the socket.
        init(
            _ origin: Origin, names: DispatchQueue, queue: DispatchQueue,
            _ completion: @escaping Completion
        ) {
            (self.queue, self.completion) = (queue, completion)
            names.async { [self] in
                // Look-ups that nothing waits for any more do not keep the next one waiting.
                if isCancelled.withLock({ $0 }) { return }
                let found = Result { () throws(SocketFailure) in try SocketAddress.all(of: origin) }
                queue.async { self.begin(found) }
            }
        }

        func cancel() {
            isCancelled.withLock { $0 = true }
            completion = nil
            drop()
        }

        private func begin(_ found: Result<[SocketAddress], SocketFailure>) {
            switch found {
            case .success(let found):
                addresses = found[...]
                tryNext()
            case .failure(let failure): finish(.failure(failure))
            }
        }

        private func tryNext() {
            guard completion != nil else { return }
            while let address = addresses.popFirst() {
                do throws(SocketFailure) {
                    watch(try address.connecting())
                    break
                } catch {
                    failure = error
                }
            }
            guard !attempts.isEmpty else { return finish(.failure(failure)) }
            guard !addresses.isEmpty else { return }
            queue.asyncAfter(deadline: .now() + Self.nextAddressSeconds) { [weak self] in
                self?.tryNext()
            }
        }

        private func watch(_ descriptor: Int32) {
            let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
            attempts[descriptor] = source
            source.setEventHandler { [weak self] in self?.settle(descriptor) }
            source.setCancelHandler { close(descriptor) }
            source.activate()
        }

        private func settle(_ descriptor: Int32) {
            guard let source = attempts.removeValue(forKey: descriptor) else { return }
            var code: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            let result = getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
            guard result == 0, code == 0 else {
                failure = SocketFailure(errno: code)
                source.cancel()
                // The next address is not waited for.
                if attempts.isEmpty { tryNext() }
                return
            }
            // The socket has another source only when this one is gone.
            let completion = completion
            self.completion = nil
            source.setCancelHandler { completion?(.success(descriptor)) }
            source.cancel()
            drop()
        }

        private func finish(_ result: Result<Int32, SocketFailure>) {
            completion?(result)
            completion = nil
            drop()
        }

        private func drop() {
            for source in attempts.values { source.cancel() }
            (attempts, addresses) = ([:], [])
        }
    }
#endif
