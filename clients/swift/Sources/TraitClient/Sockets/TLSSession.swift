// TLS by OpenSSL, which is loaded when a program first uses an address with https. So the client links no library
// that most programs do not need. Certificates are checked against those of the system, or of SSL_CERT_FILE.

#if canImport(Glibc) || canImport(Musl)
    import Foundation
    import TraitClientCore

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// The functions of libssl and libcrypto, versions 1.1 and 3, that a session uses.
    ///
    /// Sendable without check: nothing changes after `init`, and OpenSSL locks its context itself.
    final class OpenSSL: @unchecked Sendable {
        typealias Pointer = OpaquePointer
        let new: @convention(c) (Pointer?) -> Pointer?
        let free: @convention(c) (Pointer?) -> Void
        let control: @convention(c) (Pointer?, Int32, Int, UnsafePointer<CChar>?) -> Int
        let setHost: @convention(c) (Pointer?, UnsafePointer<CChar>) -> Int32
        let setConnecting: @convention(c) (Pointer?) -> Void
        let setBIO: @convention(c) (Pointer?, Pointer?, Pointer?) -> Void
        let handshake: @convention(c) (Pointer?) -> Int32
        let read: @convention(c) (Pointer?, UnsafeMutableRawPointer?, Int32) -> Int32
        let write: @convention(c) (Pointer?, UnsafeRawPointer?, Int32) -> Int32
        let error: @convention(c) (Pointer?, Int32) -> Int32
        let clearErrors: @convention(c) () -> Void
        let verdict: @convention(c) (Pointer?) -> Int
        let verdictText: @convention(c) (Int) -> UnsafePointer<CChar>?
        let newBIO: @convention(c) (Pointer?) -> Pointer?
        let memory: @convention(c) () -> Pointer?
        let readBIO: @convention(c) (Pointer?, UnsafeMutableRawPointer?, Int32) -> Int32
        let writeBIO: @convention(c) (Pointer?, UnsafeRawPointer?, Int32) -> Int32
        let pending: @convention(c) (Pointer?) -> Int
        let context: Pointer?

        static let loaded = Result { () throws(SocketFailure) in try OpenSSL() }

        private init() throws(SocketFailure) {
            let names = ["libssl.so.3", "libssl.so.1.1"]
            let found = names.lazy.compactMap { dlopen($0, RTLD_NOW) }.first
            guard let library = found else {
                throw SocketFailure("An address with https needs OpenSSL (\(names[0])).")
            }
            func function<Function>(_ name: String) throws(SocketFailure) -> Function {
                guard let symbol = dlsym(library, name) else {
                    throw SocketFailure("OpenSSL has no \(name)")
                }
                return unsafeBitCast(symbol, to: Function.self)
            }
            new = try function("SSL_new")
            free = try function("SSL_free")
            control = try function("SSL_ctrl")
            setHost = try function("SSL_set1_host")
            setConnecting = try function("SSL_set_connect_state")
            setBIO = try function("SSL_set_bio")
            handshake = try function("SSL_do_handshake")
            read = try function("SSL_read")
            write = try function("SSL_write")
            error = try function("SSL_get_error")
            clearErrors = try function("ERR_clear_error")
            verdict = try function("SSL_get_verify_result")
            verdictText = try function("X509_verify_cert_error_string")
            newBIO = try function("BIO_new")
            memory = try function("BIO_s_mem")
            readBIO = try function("BIO_read")
            writeBIO = try function("BIO_write")
            pending = try function("BIO_ctrl_pending")
            let method: @convention(c) () -> Pointer? = try function("TLS_client_method")
            let newContext: @convention(c) (Pointer?) -> Pointer? = try function("SSL_CTX_new")
            let setVerify: @convention(c) (Pointer?, Int32, Pointer?) -> Void = try function(
                "SSL_CTX_set_verify")
            let setPaths: @convention(c) (Pointer?) -> Int32 = try function(
                "SSL_CTX_set_default_verify_paths")
            context = newContext(method())
            guard context != nil, setPaths(context) == 1 else {
                throw SocketFailure("OpenSSL has no certificates")
            }
            setVerify(context, 1, nil)  // SSL_VERIFY_PEER
        }
    }

    /// The TLS of a connection: bytes go in and out; the connection carries them.
    ///
    /// Sendable without check: used on the queue of the connection alone.
    final class TLSSession: @unchecked Sendable {
        private let library: OpenSSL
        private let session: OpaquePointer
        private let incoming: OpaquePointer?
        private let outgoing: OpaquePointer?
        private var isReady = false
        /// What is sent when the handshake is done.
        private var waiting: [UInt8] = []
        /// Whether the server has ended the session.
        private(set) var isEnded = false

        init(host: String) throws(SocketFailure) {
            library = try OpenSSL.loaded.get()
            let made = library.new(library.context)
            (incoming, outgoing) = (
                library.newBIO(library.memory()), library.newBIO(library.memory())
            )
            // The name is what the certificate must have. Addresses have no place in the field for the name.
            let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
            guard let made, library.setHost(made, host) == 1,
                isAddress || library.control(made, 55, 0, host) == 1  // SSL_set_tlsext_host_name
            else { throw SocketFailure("OpenSSL makes no session for \(host)") }
            session = made
            library.setBIO(session, incoming, outgoing)
            library.setConnecting(session)
        }

        deinit { library.free(session) }

        func begin() {
            library.clearErrors()
            _ = library.handshake(session)
        }

        /// Takes what has come over the connection, and reports what it says.
        func receive(
            _ bytes: ArraySlice<UInt8>, _ each: ([UInt8]) -> Void
        ) throws(SocketFailure) {
            bytes.withUnsafeBytes {
                _ = library.writeBIO(incoming, $0.baseAddress, Int32($0.count))
            }
            library.clearErrors()
            if !isReady {
                let result = library.handshake(session)
                guard result == 1 else { return try check(result) }
                isReady = true
                send(waiting)
                waiting = []
            }
            var part = [UInt8](repeating: 0, count: 16 << 10)
            while true {
                library.clearErrors()
                let count = part.withUnsafeMutableBytes {
                    library.read(session, $0.baseAddress, Int32($0.count))
                }
                guard count > 0 else { return try check(count) }
                each(Array(part.prefix(Int(count))))
            }
        }

        /// Throws unless the session only waits for the server.
        private func check(_ result: Int32) throws(SocketFailure) {
            switch library.error(session, result) {
            case 2, 3: return  // SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE
            case 6: isEnded = true  // SSL_ERROR_ZERO_RETURN
            default:
                let verdict = library.verdict(session)
                let text = verdict == 0 ? nil : library.verdictText(verdict)
                throw SocketFailure(
                    text.map { "The certificate is refused: " + String(cString: $0) }
                        ?? "The server speaks no TLS, or has broken it")
            }
        }

        func send(_ bytes: [UInt8]) {
            guard isReady else {
                waiting += bytes
                return
            }
            var rest = bytes[...]
            while !rest.isEmpty {
                library.clearErrors()
                let part = rest.prefix(1 << 20)
                let count = part.withUnsafeBytes {
                    library.write(session, $0.baseAddress, Int32($0.count))
                }
                // A session that has failed takes nothing; reading reports why.
                guard count > 0 else { return }
                rest = rest.dropFirst(Int(count))
            }
        }

        /// What is to be sent over the connection.
        func takeOutgoing() -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: min(library.pending(outgoing), 1 << 30))
            let count = bytes.withUnsafeMutableBytes {
                library.readBIO(outgoing, $0.baseAddress, Int32($0.count))
            }
            return Array(bytes.prefix(max(0, Int(count))))
        }
    }
#endif
