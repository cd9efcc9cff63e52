// 64 bits as 16 hexadecimal digits: digests and checksums, as a JSON number would lose bits.

extension FixedWidthInteger where Self: UnsignedInteger {
    /// All digits, zeros included.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}

extension ObjectReader {
    /// The number of a member that is required.
    package func hexadecimal(_ name: StaticString) throws(SessionError) -> UInt64 {
        if let number = UInt64(try requiredString(name), radix: 16) { return number }
        throw wrongType(name, "16 hexadecimal digits", try required(name))
    }
}
