// The path that was probably meant by one that no route has.

import HTTPWire

extension Router {
    /// The path without empty parts, if a route has it. A redirect would hide the mistake from clients that
    /// follow it, and lose the body of a write in those that do not.
    func path(near path: UnsafeRawBufferPointer) -> String? {
        guard path.count <= 1_024 else { return nil }
        let parts = path.split(separator: UInt8(ascii: "/"))
        let near = parts.flatMap { [UInt8(ascii: "/")] + $0 }
        guard near.count < path.count, near.withUnsafeBytes({ match($0) }) != nil else {
            return nil
        }
        return String(decoding: near, as: UTF8.self)
    }
}
