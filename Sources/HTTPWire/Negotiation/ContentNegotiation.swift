// Chooses the media type and coding of an answer among those that the client accepts (RFC 9110
// section 12.5).

extension RequestHead {
    /// Whether the answer to this request may be compressed: gzip is acceptable, and not less
    /// welcome than the plain body. Without an `Accept-Encoding` field it may not. O(field).
    package func acceptsGzip(in bytes: UnsafeRawBufferPointer) -> Bool {
        var preference = GzipPreference()
        forEach(.acceptEncoding, in: bytes) { preference.take($0) }
        return preference.isAcceptable
    }

    /// The index of the media type to answer with; the first of equals. Without an `Accept`
    /// field, 0. `nil` when the client accepts none of them, or none is offered.
    /// O(field × offered).
    ///
    /// Parameters of the accepted types other than `q` are ignored, so that
    /// `application/json; charset=utf-8` accepts `application/json`.
    package func bestMediaType(
        in bytes: UnsafeRawBufferPointer, offered: [StaticString]
    ) -> Int? {
        guard first(.accept) != nil else { return offered.isEmpty ? nil : 0 }
        var best: Int?
        var bestWeight = 0
        for (index, type) in offered.enumerated() {
            var match = MediaTypeMatch(type)
            forEach(.accept, in: bytes) { match.take($0) }
            if match.weight > bestWeight {
                best = index
                bestWeight = match.weight
            }
        }
        return best
    }
}

/// The weights of codings in all lines of `Accept-Encoding`.
private struct GzipPreference {
    private var gzip: Int?
    private var identity: Int?
    private var others: Int?

    mutating func take(_ value: UnsafeRawBufferPointer) {
        guard let base = value.baseAddress else { return }
        let bytes = WireBytes(base, end: value.count)
        WeightedList.forEach(bytes) { item in
            if bytes.matches("gzip", from: item.start, to: item.stop)
                || bytes.matches("x-gzip", from: item.start, to: item.stop)
            {
                gzip = max(gzip ?? 0, item.weight)
            } else if bytes.matches("identity", from: item.start, to: item.stop) {
                identity = item.weight
            } else if bytes.matches("*", from: item.start, to: item.stop) {
                others = item.weight
            }
        }
    }

    /// Without `identity` in the field, the weight of `*` also applies to the uncompressed body.
    var isAcceptable: Bool {
        let weight = gzip ?? others ?? 0
        return weight > 0 && weight >= (identity ?? others ?? 0)
    }
}

/// How welcome one media type is: the most specific range that covers it decides.
private struct MediaTypeMatch {
    private let type: StaticString
    private let slash: Int
    private var specificity = 0
    private(set) var weight = 0

    init(_ type: StaticString) {
        self.type = type
        var index = 0
        while index < type.utf8CodeUnitCount, type.utf8Start[index] != UInt8(ascii: "/") {
            index += 1
        }
        slash = index
    }

    mutating func take(_ value: UnsafeRawBufferPointer) {
        guard let base = value.baseAddress else { return }
        let bytes = WireBytes(base, end: value.count)
        WeightedList.forEach(bytes) { item in
            let found = covers(bytes, item)
            if found > specificity {
                specificity = found
                weight = item.weight
            } else if found > 0, found == specificity {
                weight = max(weight, item.weight)
            }
        }
    }

    /// 3 for the type itself, 2 for `type/*`, 1 for `*/*`, 0 when the range does not cover it.
    private func covers(_ bytes: WireBytes, _ item: WeightedItem) -> Int {
        if bytes.matches(type, from: item.start, to: item.stop) { return 3 }
        if bytes.matches("*/*", from: item.start, to: item.stop) { return 1 }
        guard item.stop - item.start == slash + 2,
            bytes.matches("/*", from: item.start + slash, to: item.stop)
        else { return 0 }
        for index in 0..<slash
        where Ascii.lowercased(bytes[item.start + index]) != type.utf8Start[index] {
            return 0
        }
        return 2
    }
}
