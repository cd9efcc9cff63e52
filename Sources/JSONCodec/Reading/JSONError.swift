// Why a text was refused, and exactly where. The parser itself throws a small `Fault`. The line,
// the name and the sentence are computed only when an error is shown.

/// A text that is not acceptable JSON.
package struct JSONError: Error, Equatable, Sendable {
    /// The rules that can be broken; a closed list.
    package enum Code: String, CaseIterable, Sendable {
        case emptyText
        case byteOrderMark
        case unexpectedEnd
        case expectedValue
        case expectedKey
        case expectedColon
        case expectedCommaOrBrace
        case expectedCommaOrBracket
        case trailingComma
        case trailingBytes
        case invalidLiteral
        case invalidNumber
        case leadingZero
        case controlCharacter
        case invalidEscape
        case loneSurrogate
        case invalidUTF8
        case duplicateKey
        case depthLimit
        case documentBytesLimit
        case valuesLimit
        case outOfMemory
    }

    /// A limit of ``JSONLimits`` that the text exceeds.
    package struct Limit: Equatable, Sendable {
        package let name: String
        package let value: Int

        package init(name: String, value: Int) {
            self.name = name
            self.value = value
        }
    }

    package let code: Code
    /// Where the first offending byte stands, in bytes from the start; the length of the text when
    /// it ends too early. For a duplicate it is the quote that opens the second name.
    package let offset: Int
    /// The line of that byte, counted from 1; lines end with LF.
    package let line: Int
    /// The column of that byte in its line, counted from 1 in Unicode scalars.
    package let column: Int
    /// The byte at ``offset``; nil at the end of the text.
    package let found: UInt8?
    /// The name that occurs twice, unescaped, cut after 256 bytes; nil for other codes.
    package let key: String?
    /// RFC 6901 pointer to the member that occurs twice; nil for other codes and beyond 1,024
    /// bytes.
    package let pointer: String?
    /// The limit that was exceeded; nil for other codes.
    package let limit: Limit?

    /// One sentence without a full stop, fit for the detail of a problem document.
    package var reason: String {
        "\(rule) at line \(line), column \(column)"
    }
}

/// The parser's error: two words in registers, no allocation.
struct Fault: Error {
    let code: JSONError.Code
    let offset: Int
    /// The entry of the name that occurs twice.
    var entry = 0

    init(_ code: JSONError.Code, at offset: Int, entry: Int = 0) {
        self.code = code
        self.offset = offset
        self.entry = entry
    }
}

extension JSONError {
    /// Computes the line and column of a fault, and the key and pointer of a duplicate. Linear in the offset.
    init(
        _ fault: Fault, _ storage: UnsafeMutablePointer<TapeStorage>, _ limits: JSONLimits
    ) {
        code = fault.code
        offset = fault.offset
        let text = UnsafeBufferPointer(
            start: storage.pointee.text, count: storage.pointee.textCount)
        let place = JSONPlace(behind: text.prefix(fault.offset))
        line = place.line
        column = place.column
        found = fault.offset < text.count ? text[fault.offset] : nil
        if fault.code == .duplicateKey {
            let name = JSONString(storage: storage, index: fault.entry)
            key = name.prefix(bytesMax: JSONLimits.keyInErrorBytesMax)
            let path = JSONPointer.path(to: fault.entry, in: storage)
            pointer = path.utf8.count <= JSONLimits.pointerInErrorBytesMax ? path : nil
        } else {
            key = nil
            pointer = nil
        }
        limit = Limit(fault.code, limits)
    }

    package var rule: String {
        switch code {
        case .emptyText: "the text is empty"
        case .byteOrderMark: "the text begins with a byte order mark"
        case .unexpectedEnd: "the text ends too early,"
        case .expectedValue: "expected a value but found \(foundText)"
        case .expectedKey: "expected a member name in quotes but found \(foundText)"
        case .expectedColon: "expected ':' after a member name but found \(foundText)"
        case .expectedCommaOrBrace: "expected ',' or '}' but found \(foundText)"
        case .expectedCommaOrBracket: "expected ',' or ']' but found \(foundText)"
        case .trailingComma: "a comma stands before the closing \(foundText)"
        case .trailingBytes: "expected the end of the text but found \(foundText)"
        case .invalidLiteral: "expected 'true', 'false' or 'null' but found \(foundText)"
        case .invalidNumber: "expected a digit but found \(foundText)"
        case .leadingZero: "a number begins with a superfluous zero"
        case .controlCharacter: "a string holds the control character \(foundText), unescaped,"
        case .invalidEscape: "a string holds an invalid escape"
        case .loneSurrogate: "a string holds half a surrogate pair"
        case .invalidUTF8: "a string is not valid UTF-8"
        case .duplicateKey: "the member \"\(key ?? "")\" occurs twice, the second time"
        case .depthLimit: "values are nested more than \(limit?.value ?? 0) deep"
        case .documentBytesLimit: "the text is longer than \(limit?.value ?? 0) bytes"
        case .valuesLimit: "the text has more than \(limit?.value ?? 0) values and names"
        case .outOfMemory: "there is not enough memory to read on"
        }
    }

    private var foundText: String {
        guard let found else { return "the end" }
        if found > 0x20, found < 0x7F { return "'\(Character(Unicode.Scalar(found)))'" }
        let digits = String(found, radix: 16, uppercase: true)
        return "0x" + (found < 0x10 ? "0" : "") + digits
    }
}

extension JSONError.Limit {
    init?(_ code: JSONError.Code, _ limits: JSONLimits) {
        let property: PartialKeyPath<JSONLimits>
        switch code {
        case .depthLimit: property = \.depthMax
        case .documentBytesLimit: property = \.documentBytesMax
        case .valuesLimit: property = \.valuesMax
        default: return nil
        }
        let limit = JSONLimits.entry(of: property)
        self.init(name: limit.name.description, value: limit.get(limits))
    }
}
