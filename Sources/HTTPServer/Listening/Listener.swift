// The address on which a connection came in. The service checks `Host` by it: under DNS rebinding, a browser
// sends the name of another site in `Host`.

import Glibc

/// One address that is listened on, and the hosts that requests to it name.
package final class Listener: Sendable {
    /// The address with the port that was chosen.
    package let address: ListenAddress
    /// Whether only this machine reaches it by TCP: the address that was bound decides.
    package let isLoopback: Bool
    /// The hosts that name this address, in lower case and without a port; `localhost` is one.
    package let hosts: [String]
    /// The hosts with the port, which is the usual form of `Host`.
    private let authorities: AuthorityList

    init(_ address: ListenAddress, descriptor: Int32) {
        self.address = address
        guard case .tcp(let host, let port) = address else {
            isLoopback = false
            hosts = ["localhost"]
            authorities = AuthorityList([])
            return
        }
        let bound = ListeningSocket.name(of: descriptor).map { ClientAddress($0) } ?? .none
        isLoopback = bound.isLoopback
        var hosts = [Self.bracketed(host.lowercased()), "localhost"]
        if let text = bound.text, !bound.isAny { hosts.append(Self.bracketed(text)) }
        self.hosts = hosts.enumerated().filter { hosts.firstIndex(of: $1) == $0 }.map(\.element)
        authorities = AuthorityList(self.hosts.map { "\($0):\(port)" })
    }

    /// An IPv6 address stands in brackets (RFC 3986 section 3.2.2).
    private static func bracketed(_ host: String) -> String {
        host.contains(":") ? "[\(host)]" : host
    }

    /// Whether `authority`, a value of `Host`, names this address by one of its hosts. The port may
    /// differ, because the server does not know forwarded ports. O(hosts).
    ///
    /// - Parameter others: further hosts, in lower case and without a port.
    package func answers(to authority: UnsafeRawBufferPointer, or others: [String] = []) -> Bool {
        if authorities.contains(authority) { return true }
        let host = Self.host(of: authority)
        return hosts.contains(host) || others.contains(host)
    }

    /// The host of an authority, in lower case and without the port.
    package static func host(of authority: UnsafeRawBufferPointer) -> String {
        var end = authority.count
        if let colon = authority.lastIndex(of: UInt8(ascii: ":")),
            authority[(colon + 1)...].allSatisfy({ (0x30...0x39).contains($0) })
        {
            // A colon inside the brackets of an IPv6 address is followed by one of them.
            end = colon
        }
        return String(decoding: authority[..<end], as: UTF8.self).lowercased()
    }
}

/// Strings in one block of memory, so that a search counts no references.
private final class AuthorityList: Sendable {
    // Nothing is written after `init`.
    nonisolated(unsafe) private let texts: UnsafeMutableRawBufferPointer
    /// The offset of each string, and the end of the last one.
    nonisolated(unsafe) private let bounds: UnsafeMutableBufferPointer<Int>

    init(_ list: [String]) {
        let bytes = Array(list.joined().utf8)
        texts = .allocate(byteCount: bytes.count, alignment: 1)
        texts.copyBytes(from: bytes)
        bounds = .allocate(capacity: list.count + 1)
        var end = 0
        bounds.initializeElement(at: 0, to: 0)
        for (index, text) in list.enumerated() {
            end += text.utf8.count
            bounds.initializeElement(at: index + 1, to: end)
        }
    }

    deinit {
        texts.deallocate()
        bounds.deallocate()
    }

    func contains(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let given = text.baseAddress, let base = texts.baseAddress else { return false }
        for index in 0..<bounds.count - 1 where bounds[index + 1] - bounds[index] == text.count {
            if memcmp(base + bounds[index], given, text.count) == 0 { return true }
        }
        return false
    }
}
