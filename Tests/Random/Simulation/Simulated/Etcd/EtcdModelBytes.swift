// Keys and values: their order, and their base64 (RFC 4648, section 4). Written apart from EtcdLog's, so that a fault
// in that one shows.

import Glibc

extension [UInt8] {
    /// In the order of etcd's keys: by bytes, and a prefix before what it begins.
    func precedes(_ other: [UInt8]) -> Bool { order(other) < 0 }

    /// Below, equal to or above 0, as `bytes.Compare` of Go.
    func order(_ other: [UInt8]) -> Int {
        let first = withUnsafeBytes { left in
            other.withUnsafeBytes { right -> Int32 in
                guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
                return memcmp(left, right, Swift.min(count, other.count))
            }
        }
        return first != 0 ? Int(first) : count - other.count
    }
}

package enum EtcdModelBase64 {
    private static let letters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()
    private static let pad = UInt8(ascii: "=")

    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        // Once, as each use of a static array asks whether it is made.
        let letters = letters
        return [UInt8](unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text, written in
            var bits: UInt32 = 0
            var count: UInt32 = 0
            func put(_ letter: UInt8) {
                text[written] = letter
                written += 1
            }
            for byte in bytes {
                bits = bits << 8 | UInt32(byte)
                count += 8
                while count >= 6 {
                    count -= 6
                    put(letters[Int(bits >> count & 0x3F)])
                }
            }
            if count > 0 { put(letters[Int(bits << (6 - count) & 0x3F)]) }
            while written % 4 != 0 { put(pad) }
        }
    }

    /// The bytes, or where the text is not base64.
    static func decode(_ text: UnsafeRawBufferPointer) -> Result<[UInt8], EtcdModelBase64Fault> {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        var length = text.count
        if length % 4 == 0 {
            while length > 0, text.count - length < 2, text[length - 1] == pad { length -= 1 }
        }
        let values = values
        for at in 0..<length {
            let value = values[Int(text[at])]
            if value == 0xFF { return .failure(EtcdModelBase64Fault(at: at)) }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        if text.count % 4 != 0 {
            return .failure(EtcdModelBase64Fault(at: text.count / 4 * 4))
        }
        return .success(bytes)
    }
}

struct EtcdModelBase64Fault: Error { let at: Int }
