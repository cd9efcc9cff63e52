// A file that is converted: its bytes, the JSON in it, and the text of a place for errors.

import JSONCodec

/// One file of JSON. The values that are read from it are valid as long as it is.
package final class SourceFile {
    package let path: String
    /// The root of the text.
    package let json: JSONValue
    /// Whether commas before closing brackets were read over, as Xcode reads over them.
    let hasTrailingCommas: Bool

    private let bytes: UnsafeMutableRawBufferPointer
    private let tape: JSONTape

    /// - Parameters:
    ///   - path: the name of the file in messages.
    ///   - depthMax: the most objects and arrays inside one another.
    ///   - allowsTrailingCommas: whether a comma may stand before a closing bracket.
    /// - Throws: the place and the reason when the text is no JSON. O(bytes).
    package init(
        _ path: String, _ text: consuming [UInt8], depthMax: Int = 64,
        allowsTrailingCommas: Bool = false
    ) throws(ConversionError) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 16)
        text.withUnsafeBytes { bytes.copyMemory(from: $0) }
        text = []
        self.path = path
        self.bytes = bytes
        var commas = false
        tape = JSONTape(
            limits: JSONLimits(
                depthMax: depthMax, documentBytesMax: JSONLimits.documentBytesCeiling))
        while true {
            do {
                json = try tape.parse(UnsafeRawBufferPointer(bytes))
                break
            } catch {
                guard allowsTrailingCommas, let comma = Self.trailingComma(before: error, in: bytes)
                else {
                    bytes.deallocate()
                    throw ConversionError(path, error)
                }
                commas = true
                bytes[comma] = UInt8(ascii: " ")
            }
        }
        hasTrailingCommas = commas
    }

    deinit { bytes.deallocate() }

    /// The place of the comma that makes the text no JSON; nil if something else does.
    private static func trailingComma(
        before error: JSONError, in bytes: UnsafeMutableRawBufferPointer
    ) -> Int? {
        guard error.code == .trailingComma else { return nil }
        var place = error.offset - 1
        while place >= 0, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[place]) { place -= 1 }
        return place >= 0 && bytes[place] == UInt8(ascii: ",") ? place : nil
    }
}

/// A value in a file, and the way to it.
package struct SourceValue {
    package let file: SourceFile
    package let json: JSONValue
    /// RFC 6901, from the root of the file.
    package let pointer: String

    package init(_ file: SourceFile) {
        self.init(file, file.json, "")
    }

    private init(_ file: SourceFile, _ json: JSONValue, _ pointer: String) {
        self.file = file
        self.json = json
        self.pointer = pointer
    }

    /// `FILE:LINE:COLUMN pointer: what`. O(the value's offset in the file).
    package func error(_ what: String) -> ConversionError {
        let place = json.place
        return ConversionError(
            "\(file.path):\(place.line):\(place.column) \(pointer.isEmpty ? "/" : pointer): \(what)"
        )
    }

    package func member(_ name: StaticString) -> SourceValue? {
        json.member(name).map { SourceValue(file, $0, "\(pointer)/\(name)") }
    }

    /// - Throws: when the member is missing.
    func required(_ name: StaticString) throws(ConversionError) -> SourceValue {
        guard let value = member(name) else { throw error("'\(name)' is missing") }
        return value
    }

    /// The members with their names, in the order of the file; nothing for other kinds.
    var members: some Sequence<(name: String, value: SourceValue)> {
        json.members.lazy.map { [file, pointer] key, value in
            let name = key.string
            return (name, SourceValue(file, value, pointer + "/" + Self.escaped(name)))
        }
    }

    /// - Throws: when the value is no object.
    func object() throws(ConversionError) -> SourceValue {
        if json.kind != .object { throw error("an object is expected here") }
        return self
    }

    /// - Throws: when the value is no array.
    func elements() throws(ConversionError) -> [SourceValue] {
        if json.kind != .array { throw error("an array is expected here") }
        return json.elements.enumerated().map { position, value in
            SourceValue(file, value, "\(pointer)/\(position)")
        }
    }

    /// - Throws: when the value is no string.
    func string(bytesMax: Int = .max) throws(ConversionError) -> String {
        guard let text = json.string else { throw error("a string is expected here") }
        return text.prefix(bytesMax: bytesMax)
    }

    /// The text of a string member; nil without the member, and for null.
    func string(_ name: StaticString) throws(ConversionError) -> String? {
        guard let member = member(name), !member.json.isNull else { return nil }
        return try member.string()
    }

    /// The member of an object, or the element of an array, that a token of a pointer names.
    func child(_ token: String) -> SourceValue? {
        switch json.kind {
        case .object: members.first { $0.name == token }?.value
        case .array:
            Int(token).flatMap { position in
                json.element(at: position).map { SourceValue(file, $0, "\(pointer)/\(position)") }
            }
        default: nil
        }
    }

    /// The tokens of a pointer as a fragment: `#/a/b`.
    static func tokens(of pointer: String) -> [String] {
        pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(
            unescaped)
    }

    static func unescaped(_ token: some StringProtocol) -> String {
        var text = ""
        var isEscape = false
        for character in token {
            if isEscape {
                text.append(character == "1" ? "/" : "~")
                isEscape = false
            } else if character == "~" {
                isEscape = true
            } else {
                text.append(character)
            }
        }
        return text
    }

    /// A member name as a token of a pointer.
    private static func escaped(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") })
        else { return name }
        return name.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
    }
}

/// Why a file cannot be converted: a sentence that begins with the file and the place.
package struct ConversionError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    init(_ path: String, _ error: JSONError) {
        self.init("\(path):\(error.line):\(error.column): \(error.rule)")
    }
}
