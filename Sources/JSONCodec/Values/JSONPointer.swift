// Where in a text a value stands, as RFC 6901 writes it. Worked out backwards, from the tape, when
// an error has to name the place; nothing is kept for it while reading.

extension JSONValue {
    /// The RFC 6901 pointer from the root of the text to this value; empty for the root. Linear in
    /// the number of siblings along the way.
    package var pointer: String {
        _ = entry
        return JSONPointer.path(to: Int(index), in: storage)
    }
}

enum JSONPointer {
    /// The pointer to an entry; for a member name it is that of the member. Containers may still be
    /// open, when the text they belong to was refused.
    static func path(to target: Int, in storage: UnsafeMutablePointer<TapeStorage>) -> String {
        var result = ""
        let entries = storage.pointee.entries.base
        var container = 0
        while container < target, entries[container].isContainer {
            let isObject = entries[container].kind == TapeKind.object
            var position = 0
            var name = container &+ 1
            var value = isObject ? name &+ 1 : name
            while value < target, let next = end(of: value, before: target, in: storage) {
                position &+= 1
                name = next
                value = isObject ? name &+ 1 : name
            }
            result += "/"
            if isObject {
                result += escaped(JSONString(storage: storage, index: name).string)
            } else {
                result += String(position)
            }
            guard value <= target, name != target else { break }
            container = value
        }
        return result
    }

    /// The entry after `value`; nil when `target` lies inside of it.
    private static func end(
        of value: Int, before target: Int, in storage: UnsafeMutablePointer<TapeStorage>
    ) -> Int? {
        let entry = storage.pointee.entries.base[value]
        guard entry.isContainer else { return value &+ 1 }
        // The link of a container that is still open leads back, to its parent, or nowhere.
        let link = Int(entry.link)
        return link > value && link <= target ? link : nil
    }

    /// RFC 6901, section 3.
    private static func escaped(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": result += "~0"
            case "/": result += "~1"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
