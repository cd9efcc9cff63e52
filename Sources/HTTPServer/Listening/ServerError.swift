// Why a server could not start: each case names the system call's `errno`.

import Glibc

/// A failure to start. Once started, the server reports nothing: it answers or closes.
package enum ServerError: Error, Hashable, Sendable {
    /// The host could not be resolved; `code` is from `getaddrinfo`.
    case hostNotFound(host: String, code: Int32)
    /// The address could not be listened on.
    case cannotListen(ListenAddress, errno: Int32)
    /// The system gave no descriptor for a shard.
    case noDescriptor(errno: Int32)
    /// `start` was called twice, or after `stop`.
    case alreadyStarted
    /// The passed descriptor is no listening socket.
    case notListening(descriptor: Int32)
    /// There is nothing to listen on.
    case noAddress
}

extension ServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .hostNotFound(let host, let code):
            "cannot resolve host '\(host)': \(String(cString: gai_strerror(code)))"
        case .cannotListen(let address, let error):
            "cannot listen on \(address): \(String(cString: strerror(error)))"
        case .noDescriptor(let error):
            "cannot create a shard's descriptors: \(String(cString: strerror(error)))"
        case .alreadyStarted:
            "the server was started before"
        case .notListening(let descriptor):
            "descriptor \(descriptor) was passed to be listened on, and is no listening stream socket"
        case .noAddress:
            "there is no address to listen on"
        }
    }
}
