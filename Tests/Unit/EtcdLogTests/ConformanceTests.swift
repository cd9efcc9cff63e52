// The rules of SessionLog, run against the log in etcd, and in the model of it.

import EtcdLog
import SessionLog
import SessionLogTestSupport
import Testing

@Suite("The log in the model of etcd")
struct ModelConformanceTests {
    @Test("Every log keeps the rules", arguments: SessionLogConformance.rules)
    func conformance(rule: SessionLogConformance.Rule) throws {
        try rule.check(SessionLogConformance { try EtcdLog(ModelMember.shared.options()) })
    }
}

@Suite("The log in etcd", .enabled(if: EtcdMember.isInstalled))
struct EtcdConformanceTests {
    @Test("Every log keeps the rules", arguments: SessionLogConformance.rules)
    func conformance(rule: SessionLogConformance.Rule) throws {
        let member = try EtcdMember.shared.get()
        try rule.check(SessionLogConformance { try EtcdLog(member.options()) })
    }
}
