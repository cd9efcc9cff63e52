// A stream source that does what its test says and reports what happens to it.

import HTTPServer
import HTTPWire
import Synchronization

final class ScriptedSource: StreamSource {
    enum Event: Equatable, Sendable {
        case produced(Int)
        case shared
        case ended(StreamEnd)
        case closed
    }

    private let events: Inbox<Event>
    private let step: (OutputBuffer, Int) -> StreamStep
    private let share: () -> SharedRecords?
    private let held: () -> Int
    private var calls = 0

    /// `step` is given the number of the call, from 0. `share` is what it has in common with others, `held`
    /// the number of bytes that it keeps.
    init(
        _ events: Inbox<Event>, share: @escaping () -> SharedRecords? = { nil },
        held: @escaping () -> Int = { 0 },
        _ step: @escaping (OutputBuffer, Int) -> StreamStep
    ) {
        self.events = events
        self.share = share
        self.held = held
        self.step = step
    }

    var heldBytes: Int { held() }

    func sharedRecords() -> SharedRecords? {
        let records = share()
        if records != nil { events.put(.shared) }
        return records
    }

    func produce(into out: OutputBuffer, budget: Int) -> StreamStep {
        precondition(out.isEmpty && budget > 0)
        defer { calls += 1 }
        let step = step(out, calls)
        events.put(.produced(calls))
        return step
    }

    func end(_ reason: StreamEnd, into out: OutputBuffer) {
        precondition(out.isEmpty)
        out.append("end:\(reason)")
        events.put(.ended(reason))
    }

    func closed() { events.put(.closed) }
}

extension Exchange {
    @discardableResult
    func stream(
        _ events: Inbox<ScriptedSource.Event>, share: @escaping () -> SharedRecords? = { nil },
        held: @escaping () -> Int = { 0 },
        _ step: @escaping (OutputBuffer, Int) -> StreamStep
    ) -> WakeHandle {
        stream(
            status: 200, contentType: "text/plain",
            fields: UnsafeRawBufferPointer(start: nil, count: 0),
            source: ScriptedSource(events, share: share, held: held, step))
    }
}
