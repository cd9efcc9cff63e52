// Names as parts of JSON pointers.

extension String {
    /// One reference token of a JSON pointer: `~` and `/` escaped (RFC 6901, section 3).
    package var pointerToken: String {
        guard utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
            return self
        }
        var token = ""
        for character in self {
            switch character {
            case "~": token += "~0"
            case "/": token += "~1"
            default: token.append(character)
            }
        }
        return token
    }
}
