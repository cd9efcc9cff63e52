// Threads, faults and the model of etcd together: one seed, one trace.

import SeededRandom
import Testing

@testable import Simulated

@Suite("A simulation's trace")
struct DeterminismTests {
    /// Three processes write to one etcd, while one is killed, one stopped, and threads are stalled.
    private func run(seed: UInt64) -> (trace: Trace, revision: Int64) {
        let scheduler = Scheduler(seed: seed, keepsTrace: true)
        let model = EtcdModel(seed: seed)
        var faults = SeededRandom(seed: seed, for: "faults")
        let processes = (0..<3).map { scheduler.makeProcess("replica \($0)") }
        for process in processes {
            for client in 0..<4 {
                scheduler.start("client \(client)", in: process, isClient: true) {
                    for _ in 0..<25 { write(to: model, on: scheduler) }
                }
            }
        }
        scheduler.at(10_000_000) { scheduler.kill(processes[2]) }
        scheduler.at(15_000_000) { scheduler.stop(processes[1]) }
        scheduler.at(20_000_000) { scheduler.stallThird(of: processes[0], &faults) }
        scheduler.at(30_000_000) {
            scheduler.endStall(of: processes[0])
            scheduler.resume(processes[1])
        }
        #expect(scheduler.run() == .finished)
        return (scheduler.trace, model.revision)
    }

    private func write(to model: EtcdModel, on scheduler: Scheduler) {
        let key = code("k\(scheduler.random() % 9)")
        let body = #"{"key":"\#(key)","value":"\#(code("\(scheduler.random())"))"}"#
        scheduler.trace.note(scheduler.now, "request", Array(body.utf8))
        let answer = model.answer("POST", "/v3/kv/put", [], Array(body.utf8))
        scheduler.trace.note(scheduler.now, "answer", answer.body)
        scheduler.giveWay()
        let pause = scheduler.random() % 3_000_000
        _ = scheduler.wait(until: scheduler.nanoseconds + pause) { false }
        model.advance(to: scheduler.now)
    }

    @Test("Equal seeds give equal traces, byte for byte", arguments: 1...20 as ClosedRange<UInt64>)
    func equal(seed: UInt64) {
        let (first, again) = (run(seed: seed), run(seed: seed))
        #expect(first.trace.text == again.trace.text && first.trace.hash == again.trace.hash)
        #expect(first.revision == again.revision && first.revision > 200)
        #expect(first.trace.hash != run(seed: seed + 100).trace.hash)
    }
}
