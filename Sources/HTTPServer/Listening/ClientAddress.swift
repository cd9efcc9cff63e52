// Who is at the other end, in sixteen bytes that are cheap to compare and to keep.

import Glibc

/// The numeric address of a client, without port.
struct ClientAddress: Hashable, Sendable {
    /// The sixteen bytes of an IPv6 address in network order; an IPv4 address is mapped into them
    /// (RFC 4291 section 2.5.5.2).
    private var high: UInt64
    private var low: UInt64

    private static let mappedPrefix: UInt64 = 0xFFFF

    /// A client of a socket file, which has no address.
    static let none = ClientAddress(high: 0, low: 0)

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Anything but an IP address is `none`.
    init(_ storage: sockaddr_storage) {
        var storage = storage
        self = withUnsafeBytes(of: &storage) { bytes in
            switch Int32(bytes.load(as: sockaddr.self).sa_family) {
            case AF_INET:
                let address = UInt32(bigEndian: bytes.load(as: sockaddr_in.self).sin_addr.s_addr)
                return ClientAddress(
                    high: 0, low: Self.mappedPrefix << 32 | UInt64(address))
            case AF_INET6:
                var address = bytes.load(as: sockaddr_in6.self).sin6_addr
                return withUnsafeBytes(of: &address) { address in
                    ClientAddress(
                        high: UInt64(bigEndian: address.loadUnaligned(as: UInt64.self)),
                        low: UInt64(
                            bigEndian: address.loadUnaligned(
                                fromByteOffset: 8, as: UInt64.self)))
                }
            default:
                return .none
            }
        }
    }

    private var isIPv4: Bool { high == 0 && low >> 32 == Self.mappedPrefix }

    /// What is counted as one client: an IPv4 address, or the 64 bits of an IPv6 address that name
    /// a network, since one client has all the addresses in it (RFC 4291 section 2.5.1).
    var counted: ClientAddress { isIPv4 ? self : ClientAddress(high: high, low: 0) }
}
