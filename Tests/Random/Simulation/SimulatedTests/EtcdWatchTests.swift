// Watches of the model of etcd.

import Testing

@testable import Simulated

@Suite("Watches of the model of etcd")
struct EtcdWatchTests {
    private let model = EtcdModel(seed: 1)
    private let lines = Lines()

    private final class Lines {
        var all: [String] = []
        func take(_ line: [UInt8]) { all.append(String(decoding: line, as: UTF8.self)) }
    }

    private func watch(_ further: String, _ headers: [String] = []) throws -> EtcdWatch? {
        let body = #"{"create_request":{"key":"YQ==","range_end":"eg=="\#(further)}}"#
        return try model.watch(headers, Array(body.utf8), take: lines.take)
    }

    @Test("A watch brings what was from its revision on, and then what comes")
    func follows() throws {
        model.put("a", "1")
        model.put("b", "2")
        let watch = try #require(try watch(#","start_revision":"3""#))
        #expect(lines.all.count == 2 && lines.all[0].contains(#""created":true"#))
        #expect(lines.all[1].contains(#""mod_revision":"3""#) && !lines.all[1].contains("MQ=="))
        model.put("c", "3")
        model.put("~", "other")
        #expect(lines.all.count == 3 && lines.all[2].contains(#""value":"Mw==""#))
        #expect(lines.all.allSatisfy { $0.hasSuffix("}\n") })
        model.sendProgress(to: watch)
        #expect(lines.all.count == 4 && lines.all[3].contains(#""revision":"5""#))
        model.cancel(watch)
        model.put("a", "4")
        #expect(lines.all.count == 4)
    }

    @Test("Long lines are split on demand, and each but the last one says that it is a part")
    func fragments() throws {
        let text = String(repeating: "x", count: 700_000)
        for key in ["a", "b", "c", "d", "e"] { model.put(key, text) }
        _ = try watch(#","start_revision":2,"fragment":true"#)
        #expect(lines.all.count == 4)
        #expect(lines.all.map { $0.contains(#""fragment":true"#) } == [false, true, true, false])
        lines.all = []
        _ = try watch(#","start_revision":2"#)
        #expect(lines.all.count == 2 && lines.all[1].utf8.count > 4_000_000)
    }

    @Test("A watch that asks for a leader ends without one, and others go on")
    func leader() throws {
        let asks = ["Grpc-Metadata-hasleader: true"]
        _ = try watch("", asks)
        _ = try watch("")
        model.loseLeader()
        #expect(throws: EtcdWatchRefusal.self) { try watch("", asks) }
        model.endWatchesWithoutLeader(at: 0)
        #expect(lines.all.count == 3 && lines.all[2].contains(#""grpc_code":14"#))
        model.elect(0)
        model.put("a", "1")
        #expect(lines.all.count == 4 && lines.all[3].contains("events"))
    }
}
