// A thread of a simulated process: a stack of its own on the one real thread.

import CFibers

final class Fiber {
    enum Place {
        /// May be chosen next.
        case runnable
        /// Waits for its condition or its timer.
        case waiting
        /// Could run, but its process is stopped or the thread is stalled.
        case held
        case running
        /// Its body is over, or its process was killed.
        case gone
    }

    let number: Int
    let name: String
    let process: SimulatedProcess
    /// Whether the run goes on as long as this thread does.
    let isClient: Bool
    let handle: OpaquePointer
    private var body: (() -> Void)?

    var place = Place.runnable
    /// Where it is in the list of its place.
    var index = -1
    /// Where it is among the threads of its process.
    var indexInProcess = -1
    /// What it waits for. The closure lives on its stack.
    var condition: (() -> Bool)?
    private(set) var timer: SimulatedTimer!
    var isStalled = false
    /// Whether the thread is stalled or its process stopped.
    var isHeld: Bool

    init(
        _ number: Int, _ name: String, _ process: SimulatedProcess, isClient: Bool,
        on handle: OpaquePointer, _ body: @escaping () -> Void
    ) {
        self.number = number
        self.name = name
        self.process = process
        self.isClient = isClient
        self.handle = handle
        self.body = body
        isHeld = process.isStopped
        timer = SimulatedTimer(.wakes(self))
        // Balanced at the end of the body. A thread that is killed is never released: references on its stack, which
        // nothing unwinds, have to stay valid for those who share them.
        traitd_fiber_prepare(
            handle,
            { context in
                guard let context else { return }
                Unmanaged<Fiber>.fromOpaque(context).takeUnretainedValue().run()
            }, Unmanaged.passRetained(self).toOpaque())
    }

    private func run() {
        body?()
        body = nil
    }

    /// Releases what `init` retained.
    func end() { Unmanaged.passUnretained(self).release() }
}
