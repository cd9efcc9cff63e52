// Stores of sessions over the log in etcd, each with a log of its own, as processes have.

import EtcdLog
import SessionScripts
import Testing

@Suite("Replicas over etcd", .enabled(if: EtcdMember.isInstalled))
struct ReplicaTests {
    @Test("Stores that write one session at once become equal", arguments: 0..<6 as Range<UInt64>)
    func replicas(seed: UInt64) throws {
        let options = try EtcdMember.shared.get().options()
        var run = ReplicaRun(seed: seed) { try EtcdLog(options) }
        let failure = run.run()
        #expect(failure == nil)
    }
}
