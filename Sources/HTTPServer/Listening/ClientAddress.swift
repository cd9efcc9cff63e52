// The address of a client, in sixteen bytes that are cheap to compare and to keep.

import CEpoll
import Glibc
import Ledger

/// The numeric address of a client, without port.
package struct ClientAddress: Hashable, Sendable {
    /// The sixteen bytes of an IPv6 address in network order; an IPv4 address is mapped into them
    /// (RFC 4291 section 2.5.5.2).
    private var high: UInt64
    private var low: UInt64

    private static let mappedPrefix: UInt64 = 0xFFFF

    /// A client of a socket file, which has no address.
    package static let none = ClientAddress(high: 0, low: 0)

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
                return ClientAddress(bytes.load(as: sockaddr_in6.self).sin6_addr)
            default:
                return .none
            }
        }
    }

    private init(_ address: in6_addr) {
        var address = address
        (high, low) = withUnsafeBytes(of: &address) { address in
            (
                UInt64(bigEndian: address.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: address.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    /// Reads a numeric address, IPv4 or IPv6 without brackets; `nil` for anything else.
    package init?(text: String) {
        guard text.utf8.count < 64, !text.utf8.contains(0) else { return nil }
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(
                high: 0, low: Self.mappedPrefix << 32 | UInt64(UInt32(bigEndian: four.s_addr)))
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        self.init(six)
    }

    package var isIPv4: Bool { high == 0 && low >> 32 == Self.mappedPrefix }

    /// Whether it is `0.0.0.0` or `::`: all addresses of a family.
    var isAny: Bool { high == 0 && (low == 0 || low == Self.mappedPrefix << 32) }

    /// 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1
    }

    /// As people write it; `nil` for `none`.
    package var text: String? {
        if self == .none { return nil }
        if isIPv4 {
            return [24, 16, 8, 0].map { "\(low >> UInt64($0) & 0xFF)" }.joined(separator: ".")
        }
        var address = in6_addr()
        withUnsafeMutableBytes(of: &address) {
            $0.storeBytes(of: high.bigEndian, as: UInt64.self)
            $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The address that limits count as one client: an IPv4 or loopback address itself, else the 64 bits that
    /// name an IPv6 network, since one client has all the addresses in it (RFC 4291 section 2.5.1).
    package var counted: ClientAddress {
        isIPv4 || self == .none || self.isLoopback ? self : ClientAddress(high: high, low: 0)
    }

    /// The caller that memory of this client is counted for, unless a token names another caller.
    package var caller: CallerKey { CallerKey(high: counted.high, low: counted.low) }
}

extension ClientAddress {
    /// The address with all but its first `bits` bits cleared, of the 128 of the mapped form.
    fileprivate func masked(_ bits: Int) -> ClientAddress {
        func mask(_ count: Int) -> UInt64 {
            count <= 0 ? 0 : count >= 64 ? .max : ~(UInt64.max >> UInt64(count))
        }
        return ClientAddress(high: high & mask(bits), low: low & mask(bits - 64))
    }
}

/// Addresses that begin alike, in CIDR notation: `10.0.0.0/8`, `fd00::/8`, or one address.
package struct AddressPrefix: Hashable, Sendable {
    private let address: ClientAddress
    /// Of the 128 bits of the mapped form.
    private let bits: Int

    /// `nil` for anything but an address, where that of IPv6 may stand in brackets, with an optional length.
    package init?(text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2,
            let host = try? ListenAddress.host(String(first)),
            let address = ClientAddress(text: host)
        else { return nil }
        let whole = address.isIPv4 ? 32 : 128
        var length = whole
        if parts.count == 2 {
            guard let given = Int(parts[1]), (0...whole).contains(given),
                parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            length = given
        }
        bits = 128 - whole + length
        self.address = address.masked(bits)
    }

    package func contains(_ other: ClientAddress) -> Bool { other.masked(bits) == address }
}
