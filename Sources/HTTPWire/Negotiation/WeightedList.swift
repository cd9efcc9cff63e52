// Accept fields are lists of things with weights: `gzip;q=0.5, *;q=0`. This walks one without
// allocating anything.

/// One element of such a list: its name, and its weight in thousandths.
struct WeightedItem {
    let start: Int
    let stop: Int
    /// 0 to 1000; an element without `q` has 1000, and one with a malformed `q` has 0: the
    /// malformed element is not accepted.
    let weight: Int
}

enum WeightedList {
    /// Calls `body` with each element of the list (RFC 9110 sections 5.6.1 and 12.4.2). Empty
    /// elements are passed over; parameters other than `q` are ignored.
    static func forEach(_ bytes: WireBytes, _ body: (WeightedItem) -> Void) {
        var index = 0
        while index < bytes.end {
            let start = bytes.skipBlanks(from: index)
            let nameEnd = next(bytes, from: start)
            var stop = nameEnd
            var weight = 1_000
            while stop < bytes.end, bytes[stop] == UInt8(ascii: ";") {
                let parameter = bytes.skipBlanks(from: stop &+ 1)
                stop = next(bytes, from: parameter)
                let end = bytes.trimBlanks(from: parameter, to: stop)
                if end &- parameter >= 2, bytes[parameter] | 0x20 == UInt8(ascii: "q"),
                    bytes[parameter &+ 1] == UInt8(ascii: "=")
                {
                    weight = Self.weight(bytes, from: parameter &+ 2, to: end)
                }
            }
            let item = WeightedItem(
                start: start, stop: bytes.trimBlanks(from: start, to: nameEnd), weight: weight)
            if item.stop > item.start { body(item) }
            index = stop &+ 1
        }
    }

    /// The next comma, or semicolon, outside a quoted string; or the end.
    private static func next(_ bytes: WireBytes, from start: Int) -> Int {
        var index = start
        var isQuoted = false
        while index < bytes.end {
            let byte = bytes[index]
            if isQuoted {
                if byte == UInt8(ascii: "\\") { index &+= 1 }
                if byte == UInt8(ascii: "\"") { isQuoted = false }
            } else if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") {
                return index
            } else if byte == UInt8(ascii: "\"") {
                isQuoted = true
            }
            index &+= 1
        }
        return bytes.end
    }

    /// `0`, `0.5`, `1.000`: at most three decimals, at most 1.
    private static func weight(_ bytes: WireBytes, from start: Int, to stop: Int) -> Int {
        guard start < stop, stop &- start <= 5, bytes[start] &- 0x30 <= 1 else { return 0 }
        var value = Int(bytes[start] &- 0x30) &* 1_000
        guard stop &- start > 1 else { return value }
        guard bytes[start &+ 1] == UInt8(ascii: ".") else { return 0 }
        var unit = 100
        var index = start &+ 2
        while index < stop {
            guard Ascii.isDigit(bytes[index]) else { return 0 }
            value &+= Int(bytes[index] &- 0x30) &* unit
            unit /= 10
            index &+= 1
        }
        return value <= 1_000 ? value : 0
    }
}
