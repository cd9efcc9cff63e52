// The masks of a simple record, to add a value or to take one out without unpacking the others.

/// The usual layers' masks of a record that has no others, no shadowed values and no trait
/// beyond 63.
struct PlainMasks {
    var override: UInt64 = 0
    var supplied: UInt64 = 0
    var kept: UInt64 = 0

    /// Nil for records that are not like that.
    init?(_ record: UnsafePointer<Record>, _ reader: RecordReader) {
        let flags = record.pointee.flags
        if record.pointee.width > 0 || flags.contains(.layered) { return nil }
        let mask = record.pointee.mask
        if flags.contains(.mixed) {
            let masks = reader.block(record) + 2 &* mask.nonzeroBitCount
            (override, supplied, kept) = (masks[0], masks[1], masks[2])
            if override & supplied | (override | supplied) & kept != 0 { return nil }
        } else if mask != 0 {
            if record.pointee.layer.isRare { return nil }
            flip(record.pointee.layer, mask)
        }
    }

    mutating func flip(_ layer: Layer, _ bits: UInt64) {
        switch layer {
        case .override: override ^= bits
        case .supplied: supplied ^= bits
        default: kept ^= bits
        }
    }

    func contains(_ layer: Layer, _ bit: UInt64) -> Bool {
        (layer == .override ? override : layer == .supplied ? supplied : kept) & bit != 0
    }

    /// The only layer, nil when there are several.
    var layer: Layer? {
        if supplied | kept == 0 { return .override }
        if override | kept == 0 { return .supplied }
        return override | supplied == 0 ? .kept : nil
    }
}
