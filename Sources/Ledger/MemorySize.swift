// Sizes as people write them: 512MiB, 2GiB, or bytes; also as Kubernetes writes them: 512Mi, 2Gi, 500M.

package struct MemorySize: Hashable, Sendable {
    package let bytes: Int

    package init(bytes: Int) { self.bytes = bytes }

    private static let units: [(suffix: String, bytes: Int)] = [
        ("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10),
        ("Ti", 1 << 40), ("Gi", 1 << 30), ("Mi", 1 << 20), ("Ki", 1 << 10),
        ("T", 1_000_000_000_000), ("G", 1_000_000_000), ("M", 1_000_000), ("k", 1_000),
    ]

    /// Nil for what is no size, and for sizes beyond 64 bits.
    package init?(_ text: String) {
        var digits = Substring(text)
        var unit = 1
        for (suffix, size) in Self.units where text.hasSuffix(suffix) {
            digits = digits.dropLast(suffix.count)
            unit = size
        }
        guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }),
            let number = Int(digits)
        else { return nil }
        let (bytes, isTooMuch) = number.multipliedReportingOverflow(by: unit)
        if isTooMuch { return nil }
        self.bytes = bytes
    }
}
