// The classes of bytes in the grammar of HTTP, with tables that are built from its rules.

/// Sets of bytes as a table of flags.
struct ByteClass: OptionSet {
    let rawValue: UInt8

    /// A token's characters (RFC 9110 section 5.6.2): methods, field names, codings.
    static let token = ByteClass(rawValue: 1)
    /// A registered name's characters (RFC 3986 section 3.2.2), but not `%`.
    static let hostName = ByteClass(rawValue: 2)
    /// The characters between the brackets of an IP literal.
    static let ipLiteral = ByteClass(rawValue: 4)
}

/// The tables that parsing looks things up in. Built once and never changed or freed.
struct WireTables: Sendable {
    /// Nothing is written there after `init`.
    nonisolated(unsafe) private let classes: UnsafePointer<UInt8>
    let names: HeaderNameTable

    static let shared = WireTables()

    private init() {
        let flags = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
        flags.initialize(repeating: 0, count: 256)
        func allow(_ bytes: some Sequence<UInt8>, as kind: ByteClass) {
            for byte in bytes { flags[Int(byte)] |= kind.rawValue }
        }
        let letters = [0x41...0x5A, 0x61...0x7A].flatMap { $0 }.map { UInt8($0) }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        allow(letters, as: [.token, .hostName])
        allow(digits, as: [.token, .hostName, .ipLiteral])
        allow("!#$%&'*+-.^_`|~".utf8, as: .token)
        allow("-._~!$&'()*+,;=".utf8, as: .hostName)
        allow("abcdefABCDEF:.".utf8, as: .ipLiteral)
        classes = UnsafePointer(flags)
        names = HeaderNameTable()
    }

    @inline(__always)
    func allows(_ byte: UInt8, as kind: ByteClass) -> Bool {
        classes[Int(byte)] & kind.rawValue != 0
    }

    /// The first index in `start..<stop` that is not of the kind, or `stop`.
    @inline(__always)
    func first(not kind: ByteClass, in bytes: WireBytes, from start: Int, to stop: Int) -> Int {
        var index = start
        while index < stop, allows(bytes[index], as: kind) { index &+= 1 }
        return index
    }
}
