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

extension String {
    /// The reference tokens of a JSON pointer, with `~0` and `~1` undone.
    package var pointerTokens: [String] {
        split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { token in
            token.contains("~")
                ? token.split(separator: "~1", omittingEmptySubsequences: false)
                    .map {
                        $0.split(separator: "~0", omittingEmptySubsequences: false).joined(
                            separator: "~")
                    }
                    .joined(separator: "/")
                : String(token)
        }
    }
}
