// Giving back what a large session or commit held takes milliseconds. Whoever lets go of the last
// reference may be an event loop, so a thread of its own gets that last reference.

import Dispatch

enum Disposal {
    /// What is given back at once.
    static let itemsMax = 512
    static let bytesMax = 1_048_576

    /// By then the caller, who is in a `deinit`, has let go of its own references.
    private static let delayMilliseconds = 20

    /// Keeps `rest` until another thread is the last to refer to it.
    static func keepForAWhile<Rest>(_ rest: Rest) {
        let kept = Kept(rest)
        DispatchQueue.global(qos: .utility).asyncAfter(
            deadline: .now() + .milliseconds(delayMilliseconds)
        ) { withExtendedLifetime(kept) {} }
    }

    /// `@unchecked Sendable`: nothing is done with it but letting go of it.
    private final class Kept<Rest>: @unchecked Sendable {
        private let rest: Rest

        init(_ rest: Rest) { self.rest = rest }
    }
}
