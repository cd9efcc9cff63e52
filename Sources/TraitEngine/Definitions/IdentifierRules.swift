// One place that says what a name may look like: the unreserved characters of RFC 3986, section
// 2.3, so that every name is one segment of a URI's path as it stands.

extension String {
    /// Calls `body` with the string's UTF-8 bytes, and passes its error on with its type.
    func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws(OperationError) -> Result
    ) throws(OperationError) -> Result {
        var string = self
        let outcome = string.withUTF8 { bytes -> Swift.Result<Result, OperationError> in
            do throws(OperationError) {
                return .success(try body(UnsafeRawBufferPointer(bytes)))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}

/// The grammar of every identifier: `[A-Za-z0-9._~-]`, at least one byte, neither `.` nor `..`.
package enum IdentifierRules {
    package static func isWellFormed(_ bytes: UnsafeRawBufferPointer, bytesMax: Int) -> Bool {
        guard !bytes.isEmpty, bytes.count <= bytesMax else { return false }
        guard bytes.allSatisfy(isUnreserved) else { return false }
        let dot = UInt8(ascii: ".")
        return bytes.count > 2 || !bytes.allSatisfy { $0 == dot }
    }

    package static func isWellFormed(_ string: String, bytesMax: Int) -> Bool {
        var string = string
        return string.withUTF8 {
            isWellFormed(UnsafeRawBufferPointer($0), bytesMax: bytesMax)
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
