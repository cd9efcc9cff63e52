// The targets that are not simply a path: a proxy's, OPTIONS *, and CONNECT's (RFC 9112
// section 3.2).

import Glibc

/// Judges targets in absolute, asterisk and authority form.
enum TargetForms {
    /// `pathEnd` is the target's first `?`, or `stop`.
    static func parse(
        _ bytes: WireBytes, from start: Int, to stop: Int, pathEnd: Int,
        into head: inout RequestHead
    ) throws(WireError) {
        if head.method == .connect {
            guard isAuthority(bytes, from: start, to: stop, needsPort: true) else {
                throw .authorityForm(at: start)
            }
            head.targetForm = .authority
            head.authority = ByteRange(start, stop)
            return
        }
        if bytes.matches("*", from: start, to: stop) {
            head.targetForm = .asterisk
            return
        }
        try absolute(bytes, from: start, to: stop, pathEnd: pathEnd, into: &head)
    }

    private static func absolute(
        _ bytes: WireBytes, from start: Int, to stop: Int, pathEnd: Int,
        into head: inout RequestHead
    ) throws(WireError) {
        let scheme = ["http://", "https://"].first { (scheme: StaticString) in
            let end = start &+ scheme.utf8CodeUnitCount
            return end <= stop && bytes.matches(scheme, from: start, to: end)
        }
        guard let scheme else { throw .targetForm(at: start) }
        let authorityStart = start &+ scheme.utf8CodeUnitCount
        var authorityEnd = authorityStart
        while authorityEnd < pathEnd, bytes[authorityEnd] != UInt8(ascii: "/") {
            authorityEnd &+= 1
        }
        guard authorityEnd > authorityStart,
            isAuthority(bytes, from: authorityStart, to: authorityEnd, needsPort: false)
        else { throw .targetAuthority(at: authorityStart) }
        head.targetForm = .absolute
        head.authority = ByteRange(authorityStart, authorityEnd)
        // An empty path means "/" (RFC 9110 section 4.2.3). The slash before the authority stands
        // in for the one that was not sent.
        head.path =
            authorityEnd < pathEnd
            ? ByteRange(authorityEnd, pathEnd) : ByteRange(authorityStart &- 1, authorityStart)
    }

    /// Whether `start..<stop` is a host and perhaps a port: the form of `Host`, and of the part
    /// between `//` and the path of a target. A user name before an `@` is refused (RFC 9110
    /// section 4.2.4). The host may be empty, as in `Host:` for a target that has none.
    static func isAuthority(
        _ bytes: WireBytes, from start: Int, to stop: Int, needsPort: Bool,
        _ tables: WireTables = .shared
    ) -> Bool {
        var index = start
        if index < stop, bytes[index] == UInt8(ascii: "[") {
            index = tables.first(not: .ipLiteral, in: bytes, from: start &+ 1, to: stop)
            guard index < stop, bytes[index] == UInt8(ascii: "]"),
                isIPv6Address(bytes, from: start &+ 1, to: index)
            else { return false }
            index &+= 1
        } else {
            index = hostNameEnd(bytes, from: start, to: stop, tables)
            if index == start, needsPort { return false }
        }
        if index == stop { return !needsPort }
        guard bytes[index] == UInt8(ascii: ":"), stop &- index <= 6 else { return false }
        let portStart = index &+ 1
        var port = 0
        index = portStart
        while index < stop {
            guard Ascii.isDigit(bytes[index]) else { return false }
            port = port &* 10 &+ Int(bytes[index] &- 0x30)
            index &+= 1
        }
        return port <= 65_535 && (stop > portStart || !needsPort)
    }

    /// The first byte that is not part of a registered name; a percent sign is one only with two
    /// hexadecimal digits after it.
    @inline(__always)
    private static func hostNameEnd(
        _ bytes: WireBytes, from start: Int, to stop: Int, _ tables: WireTables
    ) -> Int {
        var index = tables.first(not: .hostName, in: bytes, from: start, to: stop)
        while stop &- index >= 3, bytes[index] == UInt8(ascii: "%"),
            Ascii.hexValue(bytes[index &+ 1]) != nil, Ascii.hexValue(bytes[index &+ 2]) != nil
        {
            index = tables.first(not: .hostName, in: bytes, from: index &+ 3, to: stop)
        }
        return index
    }

    /// Whether the bytes are an IPv6 address in one of its many forms (RFC 3986 section 3.2.2). Rare
    /// enough to be left to the system.
    private static func isIPv6Address(_ bytes: WireBytes, from start: Int, to stop: Int) -> Bool {
        let count = stop &- start
        guard count >= 2, count < Int(INET6_ADDRSTRLEN) else { return false }
        // The zeros after it end the text.
        var text = InlineArray<46, CChar>(repeating: 0)
        for index in 0..<count { text[index] = CChar(bitPattern: bytes[start &+ index]) }
        var address = in6_addr()
        return withUnsafeBytes(of: &text) { text in
            text.withMemoryRebound(to: CChar.self) { text in
                guard let base = text.baseAddress else { return false }
                return inet_pton(AF_INET6, base, &address) == 1
            }
        }
    }
}
