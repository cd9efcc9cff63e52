// What the modules above keep beside a session or a store: its rows, the states that were rebuilt of its past.

import Synchronization

package protocol Attachment: AnyObject, Sendable {
    /// Bytes that it takes.
    var heldBytes: Int { get }
}

/// Room for one attachment.
package struct AttachmentSlot: ~Copyable, Sendable {
    private let kept = Mutex<(any Attachment)?>(nil)

    /// The attachment, which `make` makes for the first caller. Callers of one slot ask for one type. O(1).
    package func value<Kept: Attachment>(_ make: () -> Kept) -> Kept {
        kept.withLock { kept in
            if let known = kept as? Kept { return known }
            let made = make()
            kept = made
            return made
        }
    }

    /// 0 as long as nothing was asked for.
    package var heldBytes: Int { kept.withLock { $0?.heldBytes ?? 0 } }
}
