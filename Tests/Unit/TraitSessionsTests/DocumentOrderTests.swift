// Documents that lack members, or have them in another order than an export.

import JSONCodec
import Testing

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

struct DocumentOrderTests {
    private static func load(_ text: String) throws(SessionError) -> Session {
        let store = SessionStore(limits: ServiceLimits(), environment: .system)
        let reading = DocumentImport(DocumentImport.Order(), store)
        let fed = Array(text.utf8).withUnsafeBytes { bytes in
            Result { () throws(SessionError) in try reading.feed(bytes) }
        }
        try fed.get()
        switch try reading.finish() {
        case .found(let session), .created(let session, _, _): return session
        }
    }

    @Test(
        "A document of any length may lack members; a long one has its nodes behind settings and definitions",
        arguments: [
            #""name":"s","#, #""format":1,"name":"s","#, #""name":"s","colors":{},"images":{},"#,
            "",
            #""format":1,"name":"s","traits":{},"environmentKeys":{},"#,
        ])
    func absentMembers(head: String) throws {
        let nodes = (0..<9_000).map { #"{"id":"node-\#($0)","kind":"environment"}"# }
        func read(_ end: String, collected: Int) throws -> Session {
            let text = Array("{\(head)\"nodes\":[\(nodes.joined(separator: ",\n"))]\(end)}".utf8)
            var order = DocumentImport.Order()
            order.name = "s"
            order.collectedBytesMax = collected
            let reading = DocumentImport(
                order, SessionStore(limits: ServiceLimits(), environment: .system))
            for start in stride(from: 0, to: text.count, by: 30_000) {
                try text[start..<min(start + 30_000, text.count)].withUnsafeBytes {
                    try reading.feed($0)
                }
            }
            switch try reading.finish() {
            case .found(let session), .created(let session, _, _): return session
            }
        }
        #expect(try read("", collected: 100_000).hierarchy.nodeCount == 9_000)
        #expect(try read(#","registrations":[]"#, collected: 100_000).hierarchy.nodeCount == 9_000)
        // Read as a whole, members stand in any order.
        let late = #","propagation":"legacy""#
        #expect(try read(late, collected: 1_000_000).configuration.propagation == .legacy)
        let error = #expect(throws: SessionError.self) { try read(late, collected: 100_000) }
        #expect(error?.code == .malformedBody && error?.pointer == "/propagation")
        #expect(
            error?.detail.contains("order of members matters") == true, "\(error?.detail ?? "")")
    }

    @Test("A fault behind the place where a long document was cut has its line")
    func lateFault() throws {
        let nodes = (0..<9_000).map {
            #"{"id":"node-\#($0)","kind":"\#($0 == 8_500 ? "tree" : "view")"}"#
        }
        let text = Array("{\"name\":\"s\",\n\"nodes\":[\(nodes.joined(separator: ",\n"))]}".utf8)
        var order = DocumentImport.Order()
        order.collectedBytesMax = 100_000
        let reading = DocumentImport(
            order, SessionStore(limits: ServiceLimits(), environment: .system))
        let error = #expect(throws: SessionError.self) {
            try text.withUnsafeBytes { try reading.feed($0) }
            _ = try reading.finish()
        }
        #expect(error?.pointer == "/nodes/8500/kind")
        #expect(
            error?.facts.contains {
                $0.name.description == "line" && "\($0.value)".contains("8502")
            } == true)
    }

    @Test("A document needs no format, and may have every member without it")
    func noFormat() throws {
        let text =
            #"{"name":"s","colors":{},"registrations":[],"nodes":[{"id":"n","kind":"view"}]}"#
        #expect(try Self.load(text).hierarchy.nodeCount == 1)
        let error = #expect(throws: SessionError.self) {
            try Self.load(#"{"name":"s","colours":{}}"#)
        }
        #expect(error?.code == .unknownMember && error?.detail.contains("images") == true)
    }
}
