// The digest with which a client checks its cache: the sum of one hash for each (node, trait) with
// its value. docs/streams.md specifies the hash with test vectors.

import TraitEngine

/// FNV-1a over 64 bits, with the finalizer of MurmurHash3. Without the finalizer the sum would be
/// the same after two values have changed places.
struct PairHash {
    private var state = FNV1a()

    /// Begins with `node`, LF, `trait`, LF; the value follows.
    init(node: UnsafeRawBufferPointer, trait: UnsafeRawBufferPointer) {
        state.add(node)
        state.add(0x0A)
        state.add(trait)
        state.add(0x0A)
    }

    /// The hash with a value. The value is JSON in this server's form: no white space, strings
    /// escaped as by ECMAScript's `JSON.stringify`. O(bytes), and once more for each level of a value.
    func hash(_ json: UnsafeRawBufferPointer) -> UInt64 {
        var hash = self
        hash.appendValue(json)
        var mixed = hash.state.value
        mixed = (mixed ^ mixed >> 33) &* 0xff51_afd7_ed55_8ccd
        mixed = (mixed ^ mixed >> 33) &* 0xc4ce_b9fe_1a85_ec53
        return mixed ^ mixed >> 33
    }

    private mutating func appendValue(_ json: UnsafeRawBufferPointer) {
        switch json.first ?? 0 {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): appendNumber(json)
        case UInt8(ascii: "{"): appendObject(json)
        case UInt8(ascii: "["): appendArray(json)
        default: state.add(json)
        }
    }

    /// The 16 hexadecimal digits of the IEEE 754 double, since languages differ in how they write
    /// numbers and in the precision of integers. Negative zero counts as 0.
    private mutating func appendNumber(_ json: UnsafeRawBufferPointer) {
        let bits = ((Double(String(decoding: json, as: UTF8.self)) ?? 0) + 0).bitPattern
        for shift in stride(from: 60, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: bits >> UInt64(shift)) & 0xF
            state.add(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    /// The members in the order of their names' UTF-8 bytes.
    private mutating func appendObject(_ json: UnsafeRawBufferPointer) {
        var members: [(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)] = []
        var reader = JSONSkipper(json, at: 1)
        while let name = reader.name(), let value = reader.value() { members.append((name, value)) }
        members.sort { Self.precedes($0.name, $1.name) }
        state.add(UInt8(ascii: "{"))
        for (number, member) in members.enumerated() {
            if number > 0 { state.add(UInt8(ascii: ",")) }
            state.add(member.name)
            state.add(UInt8(ascii: ":"))
            appendValue(member.value)
        }
        state.add(UInt8(ascii: "}"))
    }

    /// A value of the type `json` has at most 16 levels, which bounds the recursion.
    private mutating func appendArray(_ json: UnsafeRawBufferPointer) {
        var reader = JSONSkipper(json, at: 1)
        state.add(UInt8(ascii: "["))
        var isFirst = true
        while let element = reader.value() {
            if !isFirst { state.add(UInt8(ascii: ",")) }
            isFirst = false
            appendValue(element)
        }
        state.add(UInt8(ascii: "]"))
    }

    /// Compares two names with quotes by the bytes of the names themselves, not of their escapes.
    private static func precedes(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Bool {
        if !left.contains(UInt8(ascii: "\\")), !right.contains(UInt8(ascii: "\\")) {
            return left.dropLast().lexicographicallyPrecedes(right.dropLast())
        }
        return unescaped(left).lexicographicallyPrecedes(unescaped(right))
    }

    /// The bytes of a string that this server has written.
    private static func unescaped(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text.dropFirst().dropLast()
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            switch escape {
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "u"):
                // Control characters alone are written so.
                let digits = String(decoding: rest.prefix(4), as: UTF8.self)
                bytes.append(UInt8(digits, radix: 16) ?? 0)
                rest = rest.dropFirst(4)
            default: bytes.append(escape)
            }
        }
        return bytes
    }
}

/// Finds where values begin and end in JSON that this server has written.
struct JSONSkipper {
    private let bytes: UnsafeRawBufferPointer
    private var at: Int

    init(_ bytes: UnsafeRawBufferPointer, at start: Int = 0) {
        self.bytes = bytes
        at = start
    }

    /// Where the next value begins, or the comma before it.
    var position: Int { at }

    /// The name of the next member with its quotes; nil at the end of the object.
    mutating func name() -> UnsafeRawBufferPointer? {
        if at < bytes.count, bytes[at] == UInt8(ascii: ",") { at += 1 }
        guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { return nil }
        let name = value()
        at += 1
        return name
    }

    /// The next value of an object or array; nil at the end of the array.
    mutating func value() -> UnsafeRawBufferPointer? {
        if at < bytes.count, bytes[at] == UInt8(ascii: ",") { at += 1 }
        let start = at
        var depth = 0
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\""):
                at += 1
                while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
                    at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
                }
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return slice(start) }
                depth -= 1
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                if depth == 0 { return slice(start) }
            default: break
            }
            at += 1
        }
        at = min(at, bytes.count)
        return slice(start)
    }

    private func slice(_ start: Int) -> UnsafeRawBufferPointer? {
        start < at ? UnsafeRawBufferPointer(rebasing: bytes[start..<at]) : nil
    }
}

/// A sum of hashes in which each pair counts once, even when several registrations deliver it.
struct PairSum {
    private(set) var sum: UInt64 = 0
    /// Hashes with the present values. All values are of one revision, so equal pairs have equal
    /// hashes.
    private var known: Set<UInt64> = []

    /// - Parameter json: the value, as `PairHash.hash` takes it.
    mutating func add(
        node: UnsafeRawBufferPointer, trait: UnsafeRawBufferPointer, _ json: UnsafeRawBufferPointer
    ) {
        let hash = PairHash(node: node, trait: trait).hash(json)
        if known.insert(hash).inserted { sum &+= hash }
    }

    /// Applies the `changes` array of a record from a byte of it on, about `bytesMax` bytes of it: the current
    /// values replace the previous ones.
    ///
    /// - Parameter start: where the next change begins; 1 for the first.
    mutating func add(_ note: ChangeNote, from start: inout Int, bytesMax: Int) {
        var node = note.node
        node.withUTF8 { node in
            note.changes.withUnsafeBytes {
                add(
                    changes: $0, node: UnsafeRawBufferPointer(node), from: &start,
                    bytesMax: bytesMax)
            }
        }
    }

    mutating func add(
        changes: UnsafeRawBufferPointer, node: UnsafeRawBufferPointer, from start: inout Int,
        bytesMax: Int
    ) {
        var list = JSONSkipper(changes, at: start)
        let first = start
        while start - first < bytesMax, let change = list.value() {
            start = list.position
            var object = JSONSkipper(change, at: 1)
            var trait = change[0..<0]
            var previous: UnsafeRawBufferPointer?
            var current: UnsafeRawBufferPointer?
            while let name = object.name(), let value = object.value() {
                if name.elementsEqual(#""trait""#.utf8) { trait = value[1..<value.count - 1] }
                if name.elementsEqual(#""previous""#.utf8) { previous = value }
                if name.elementsEqual(#""current""#.utf8) { current = value }
            }
            guard let previous, let current else { continue }
            let pair = PairHash(node: node, trait: UnsafeRawBufferPointer(rebasing: trait))
            let hash = pair.hash(current)
            if known.insert(hash).inserted { sum &+= hash &- pair.hash(previous) }
        }
    }
}
