// The digest with which a client checks its cache: the sum of one hash for each (node, trait) with
// its value. docs/streams.md specifies the hash with test vectors.

import JSONCodec
import TraitEngine
import TraitJSON

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

    /// The hash with a value, given as this server writes it. O(bytes), and the sorting of an object's members, as a
    /// struct has its fields in the order of their definition.
    func hash(_ json: UnsafeRawBufferPointer) -> UInt64 {
        var hash = self
        if json.first == UInt8(ascii: "{") {
            Self.sorted(json).withUnsafeBytes { hash.append($0) }
        } else {
            hash.append(json)
        }
        var mixed = hash.state.value
        mixed = (mixed ^ mixed >> 33) &* 0xff51_afd7_ed55_8ccd
        mixed = (mixed ^ mixed >> 33) &* 0xc4ce_b9fe_1a85_ec53
        return mixed ^ mixed >> 33
    }

    private static func sorted(_ json: UnsafeRawBufferPointer) -> [UInt8] {
        let tape = JSONTape()
        do throws(JSONError) {
            let object = try tape.parse(json)
            return JSONWriter.text { $0.meaning(of: object) }
        } catch {
            preconditionFailure("a value is no JSON: \(error)")
        }
    }

    /// All bytes but those of numbers are hashed as they are.
    private mutating func append(_ json: UnsafeRawBufferPointer) {
        var start = 0
        while start < json.count {
            var end = start + 1
            switch json[start] {
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                while end < json.count, Self.isOfNumber(json[end]) { end += 1 }
                append(number: UnsafeRawBufferPointer(rebasing: json[start..<end]))
            case UInt8(ascii: "\""):
                while end < json.count, json[end] != UInt8(ascii: "\"") {
                    end += json[end] == UInt8(ascii: "\\") ? 2 : 1
                }
                end = min(end + 1, json.count)
                state.add(UnsafeRawBufferPointer(rebasing: json[start..<end]))
            default: state.add(json[start])
            }
            start = end
        }
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// The 16 hexadecimal digits of the IEEE 754 double, since languages differ in how they write
    /// numbers and in the precision of integers. Negative zero counts as 0.
    private mutating func append(number: UnsafeRawBufferPointer) {
        let bits = ((Double(String(decoding: number, as: UTF8.self)) ?? 0) + 0).bitPattern
        for shift in stride(from: 60, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: bits >> UInt64(shift)) & 0xF
            state.add(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
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

    /// Applies the changes of a record from one of them on, about `bytesMax` bytes of their text: the current values
    /// replace the previous ones.
    ///
    /// - Parameters:
    ///   - all: the places of the commit.
    ///   - start: the next change of the note; 0 for the first.
    mutating func add(
        _ note: ChangeNote, _ all: [ChangePlace], from start: inout Int, bytesMax: Int
    ) {
        var node = note.node
        let places = all[note.places]
        var bytes = 0
        node.withUTF8 { node in
            note.changes.withUnsafeBytes { json in
                while start < places.count, bytes < bytesMax {
                    let place = places[places.startIndex + start]
                    add(place, in: json, of: UnsafeRawBufferPointer(node))
                    bytes += Int(place.currentEnd - place.trait)
                    start += 1
                }
            }
        }
    }

    private mutating func add(
        _ change: ChangePlace, in json: UnsafeRawBufferPointer,
        of node: UnsafeRawBufferPointer
    ) {
        func text(_ start: UInt32, _ end: UInt32) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(rebasing: json[Int(start)..<Int(end)])
        }
        let pair = PairHash(node: node, trait: text(change.trait, change.traitEnd))
        let hash = pair.hash(text(change.current, change.currentEnd))
        guard known.insert(hash).inserted else { return }
        sum &+= hash &- pair.hash(text(change.previous, change.previousEnd))
    }
}
