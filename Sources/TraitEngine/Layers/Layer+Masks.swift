// Where a layer's mask lies in a record whose layers mix. Nearly all records have three layers
// only and keep three masks; the others are UIKit's legacy inputs, which few still use.

extension Layer {
    /// The layers that hold values, the winning one first.
    static let stored: [Layer] = [
        .override, .legacyStyle, .legacyCollection, .limited, .supplied, .kept,
    ]

    var isRare: Bool { self > .supplied && self < .override }

    @inline(__always)
    static func maskCount(isLayered: Bool) -> Int32 { isLayered ? 6 : 3 }

    @inline(__always)
    func maskPosition(isLayered: Bool) -> Int32 {
        if isLayered { return 6 - Int32(rawValue) }
        return self == .override ? 0 : 3 - Int32(rawValue)
    }

    @inline(__always)
    static func at(_ position: Int32, isLayered: Bool) -> Layer {
        if position == 0 { return .override }
        let raw = (isLayered ? 6 : 3) - position
        return Layer(rawValue: UInt8(truncatingIfNeeded: raw)) ?? .kept
    }
}
