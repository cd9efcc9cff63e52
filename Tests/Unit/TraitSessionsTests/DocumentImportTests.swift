// Documents that arrive in pieces. A document cut at any place makes the same session. A text that
// is no document is refused like a whole one, with the place of the error.

import JSONCodec
import SessionLog
import Testing

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

struct DocumentImportTests {
    static let document = """
        {"format":1,"name":"s","propagation":"unified","updates":"immediate","limits":{"nodesMax":9},
        "traits":{"ab":{"type":"string","default":"]{,:"}},"environmentKeys":{},"colors":{},"images":{},
        "nodes":[ {"id":"a","kind":"environment","parent":null,"label":"],[\\\\"},
         {"id":"b","kind":"environment","parent":"a","overrides":{"userInterfaceStyle":"dark"}} ] ,
        "registrations":[{"id":"r","node":"b","traits":["displayScale","userInterfaceStyle"]}],
        "scopes":[]}

        """

    private static func store() -> SessionStore {
        SessionStore(limits: ServiceLimits(), environment: .system)
    }

    static func read(
        _ text: [UInt8], cuts: [Int] = [], pieceBytes: Int = DocumentImport.Order().pieceBytes
    ) throws(SessionError) -> Session {
        var order = DocumentImport.Order()
        order.pieceBytes = pieceBytes
        let reading = DocumentImport(order, store())
        var start = 0
        for end in cuts + [text.count] {
            let fed = Array(text[start..<end]).withUnsafeBytes { piece in
                Result { () throws(SessionError) in try reading.feed(piece) }
            }
            try fed.get()
            start = end
        }
        switch try reading.finish() {
        case .found(let session), .created(let session, _, _): return session
        }
    }

    @Test("Nodes come in any order in which each is behind its parent")
    func anyOrder() throws {
        let text =
            #"{"format":1,"name":"s","nodes":[{"id":"a","kind":"environment"},"#
            + #"{"id":"b","kind":"environment","parent":"a"},"#
            + #"{"id":"c","kind":"environment","parent":"a"},"#
            + #"{"id":"e","kind":"environment","parent":"b"}]}"#
        let session = try Self.read(Array(text.utf8))
        var order: [String] = []
        session.hierarchy.forEachNode { node, level in
            order.append("\(level)" + session.hierarchy.identifier(of: node))
            return .descend
        }
        #expect(order == ["0a", "1b", "2e", "1c"])
    }

    /// The export of what the nodes make.
    private static func export(_ head: String, _ nodes: [String]) throws -> String {
        let text = #"{\#(head)"name":"s","nodes":[\#(nodes.joined(separator: ","))]}"#
        let session = try read(Array(text.utf8))
        try session.hierarchy.checkInvariants()
        var json = JSONWriter()
        DocumentWriter(session, .specified).writeAll(into: &json)
        return String(decoding: json.array(), as: UTF8.self)
    }

    private static let window = #"{"id":"w","kind":"window"}"#
    private static let above = #"{"id":"p","kind":"view","parent":"w"}"#
    private static let controller = #"{"id":"c","kind":"viewController","parent":"w"}"#
    private static let view = #"{"id":"v","kind":"view","parent":"p","controller":"c"}"#
    private static let inner = #"{"id":"i","kind":"view","parent":"v"}"#

    @Test("Controllers and trait parents may come behind what names them, or be left out")
    func lateControllers() throws {
        for head in [#""format":1,"#, ""] {
            let first = try Self.export(
                head, [Self.window, Self.above, Self.controller, Self.view, Self.inner])
            #expect(
                first.contains(#""id":"c","kind":"viewController","parent":"w","traitParent":"p""#))
            #expect(
                first.contains(
                    #""id":"v","kind":"view","parent":"p","controller":"c","traitParent":"c""#))
            for nodes in [
                [Self.window, Self.controller, Self.above, Self.view, Self.inner],
                [Self.window, Self.above, Self.view, Self.inner, Self.controller],
                [Self.window, Self.above, Self.view, Self.controller, Self.inner],
            ] {
                #expect(try Self.export(head, nodes) == first)
            }
        }
        // The controller's trait parent comes behind the controller.
        let early = #"{"id":"c","kind":"viewController","parent":"w","traitParent":"p"}"#
        #expect(
            try Self.export(
                #""format":1,"#, [Self.window, early, Self.above, Self.view, Self.inner])
                == Self.export(
                    #""format":1,"#,
                    [Self.window, Self.above, Self.controller, Self.view, Self.inner]))
    }

    @Test("Siblings stand in the order of the document, also where a controller moves between them")
    func siblings() throws {
        let sibling = #"{"id":"x","kind":"view","parent":"p"}"#
        for head in [#""format":1,"#, ""] {
            for (nodes, order) in [
                ([Self.window, Self.above, Self.controller, sibling, Self.view], ["c", "v", "x"]),
                ([Self.window, Self.above, sibling, Self.view, Self.controller], ["x", "c", "v"]),
                ([Self.window, Self.controller, Self.above, Self.view, sibling], ["c", "v", "x"]),
            ] {
                let export = try Self.export(head, nodes)
                let places = order.map { export.range(of: #"{"id":"\#($0)""#)?.lowerBound }
                #expect(places.allSatisfy { $0 != nil }, "\(export)")
                #expect(zip(places, places.dropFirst()).allSatisfy { $0.0! < $0.1! }, "\(export)")
            }
        }
    }

    @Test(
        "What no order makes right is refused with a pointer, with and without a format",
        arguments: [
            (
                [window, #"{"id":"v","kind":"view","parent":"w","controller":"gone"}"#],
                SessionErrorCode.unknownParent, SessionErrorCode.unknownController,
                "/nodes/1/controller"
            ),
            (
                [
                    #"{"id":"b","kind":"environment","parent":"a"}"#,
                    #"{"id":"a","kind":"environment"}"#,
                ],
                .unknownParent, .unknownParent, "/nodes/0/parent"
            ),
            (
                [
                    #"{"id":"c","kind":"viewController"}"#,
                    #"{"id":"y","kind":"environment","parent":"c"}"#,
                    #"{"id":"x","kind":"view","parent":"y"}"#,
                    #"{"id":"v","kind":"view","parent":"x","controller":"c"}"#,
                ], .cycle, .cycle, nil
            ),
            (
                [window, #"{"id":"v","kind":"view","parent":"w","controller":"v"}"#],
                .kindMismatch, .kindMismatch, "/nodes/1/controller"
            ),
        ] as [([String], SessionErrorCode, SessionErrorCode, String?)])
    func impossibleOrders(
        nodes: [String], coded: SessionErrorCode, plain: SessionErrorCode, pointer: String?
    ) throws {
        for (head, code) in [(#""format":1,"#, coded), ("", plain)] {
            let error = try #require(
                #expect(throws: SessionError.self) { try Self.export(head, nodes) })
            #expect(error.code == code, "\(error.detail)")
            if let pointer { #expect(error.pointer?.hasPrefix(pointer) == true, "\(error)") }
        }
    }

    @Test("A trait parent that contradicts the structure is refused, wherever it stands")
    func wrongTraitParents() throws {
        for nodes in [
            [Self.window, #"{"id":"v","kind":"view","parent":"w","traitParent":"p"}"#, Self.above],
            [Self.window, Self.above, #"{"id":"v","kind":"view","parent":"w","traitParent":"p"}"#],
            [Self.window, #"{"id":"v","kind":"view","parent":"w","traitParent":"gone"}"#],
            [#"{"id":"v","kind":"view","parent":"v","traitParent":"v"}"#],
        ] {
            let error = #expect(throws: SessionError.self) {
                try Self.export(#""format":1,"#, nodes)
            }
            #expect(error?.code != .internalError, "\(nodes): \(String(describing: error))")
        }
    }

    @Test(
        "What only a log has is refused, not ignored",
        arguments: [
            (#""nodes":[{"id":"a","kind":"view","managers":{"node":"ci"}}]"#, "/nodes/0/managers"),
            (
                #""nodes":[{"id":"a","kind":"view","overrides":{},"overrideRevisions":[]}]"#,
                "/nodes/0/overrideRevisions"
            ),
            (
                #""nodes":[{"id":"a","kind":"view"}],"#
                    + #""scopes":[{"node":"a","scope":"s","reads":[],"revision":1}]"#,
                "/scopes/0/revision"
            ),
            (
                #""nodes":[{"id":"a","kind":"view"}],"#
                    + #""registrations":[{"id":"r","node":"a","traits":[],"revision":1}]"#,
                "/registrations/0/revision"
            ),
            (#""managers":{}"#, "/managers"),
        ])
    func stateMembers(members: String, pointer: String) throws {
        let error = try #require(
            #expect(throws: SessionError.self) {
                try Self.read(Array(#"{"format":1,"name":"s",\#(members)}"#.utf8))
            })
        #expect(error.code == .unknownMember && error.pointer == pointer)
    }

    private static let leased = """
        {"format":1,"name":"s","nodes":[{"id":"a","kind":"environment","parent":null}],
        "registrations":[{"id":"r","node":"a","traits":["displayScale"],"ttl":5}]}
        """

    @Test("Leases begin with the session: a dry run of an import begins none")
    func leases() throws {
        for isDryRun in [false, true] {
            var order = DocumentImport.Order()
            order.options.dryRun = isDryRun
            let reading = DocumentImport(order, Self.store())
            try Array(Self.leased.utf8).withUnsafeBytes { try reading.feed($0) }
            guard case .created(let session, _, _) = try reading.finish() else {
                Issue.record("no session was made")
                return
            }
            #expect(session.withState { $0.streams.leases.isEmpty } == isDryRun)
        }
    }

    @Test(
        "A lease of a document is from one second to a week",
        arguments: [0, -1, 604_801, Int64.max])
    func wrongLeases(ttl: Int64) throws {
        let text = Self.leased.replacing("\"ttl\":5", with: "\"ttl\":\(ttl)")
        let error = #expect(throws: SessionError.self) { _ = try Self.read(Array(text.utf8)) }
        #expect(error?.code == .malformedBody)
        #expect(error?.detail.contains("from 1 to 604800 seconds; it is \(ttl)") == true)
    }

    /// What the tape and the reader make of the whole text.
    private static func readWhole(_ text: [UInt8]) throws(SessionError) -> StateDigestOfContent {
        let tape = JSONTape()
        let result = text.withUnsafeBytes { bytes in
            Result { () throws(SessionError) in
                try tape.withDocument(bytes, refusal: SessionError.init) {
                    json throws(SessionError) in
                    var reader = try DocumentReader(
                        json, server: ServiceLimits().hierarchy, keepsRevisions: false, hashSeed: 1
                    ) { $0.limits.hierarchyLimits(server: ServiceLimits().hierarchy) }
                    guard reader.name != nil else {
                        throw SessionError(.missingMember, "")
                    }
                    try reader.read(json)
                    return StateDigestOfContent(
                        value: try reader.finish(revision: 1).digest.content)
                }
            }
        }
        return try result.get()
    }

    private struct StateDigestOfContent: Equatable { let value: UInt64 }

    @Test("A document that is cut at any place makes the same session")
    func everyCut() throws {
        let text = Array(Self.document.utf8)
        let whole = try Self.read(text)
        #expect(whole.hierarchy.nodeCount == 2 && whole.hierarchy.registrations().count == 1)
        for pieceBytes in [1, 16, 350, 65_536] {
            for cut in 0...text.count {
                let session = try Self.read(text, cuts: [cut], pieceBytes: pieceBytes)
                #expect(session.digest.content == whole.digest.content, "\(pieceBytes) \(cut)")
            }
            let bytes = Array(1..<text.count)
            let session = try Self.read(text, cuts: bytes, pieceBytes: pieceBytes)
            #expect(session.digest.content == whole.digest.content, "\(pieceBytes)")
        }
        for pieceBytes in 1...text.count {
            let session = try Self.read(text, pieceBytes: pieceBytes)
            #expect(session.digest.content == whole.digest.content, "\(pieceBytes)")
        }
    }

    @Test(
        "With any byte left out or replaced it is refused when the whole text is, or means the same",
        arguments: [1, 350, 65_536])
    func everyByte(pieceBytes: Int) {
        let text = Array(Self.document.utf8)
        var accepted = 0
        for position in text.indices {
            var texts: [[UInt8]] = [text]
            texts[0].remove(at: position)
            for byte in "{}[],:\" x".utf8 where byte != text[position] {
                var changed = text
                changed[position] = byte
                texts.append(changed)
            }
            for changed in texts {
                let whole = Result { () throws(SessionError) in try Self.readWhole(changed) }
                let cut = Result { () throws(SessionError) in
                    try Self.read(changed, pieceBytes: pieceBytes)
                }
                switch (whole, cut) {
                case (.success(let digest), .success(let session)):
                    accepted += 1
                    #expect(session.hierarchy.digest.content == digest.value)
                case (.failure, .failure): continue
                case (.success, .failure(let error)):
                    Issue.record(
                        "refused for '\(error.detail)': \(String(decoding: changed, as: UTF8.self))"
                    )
                case (.failure(let error), .success):
                    Issue.record(
                        "accepted with '\(error.detail)': \(String(decoding: changed, as: UTF8.self))"
                    )
                }
            }
        }
        #expect(accepted > 50)
    }

    @Test("A text that ends anywhere before its end is refused")
    func everyPrefix() {
        let text = Array(Self.document.utf8)
        let end = text.lastIndex(of: UInt8(ascii: "}")) ?? 0
        for (count, pieceBytes) in (0...end).flatMap({ [($0, 1), ($0, 350), ($0, 65_536)] }) {
            #expect(throws: SessionError.self) {
                try Self.read(Array(text[..<count]), pieceBytes: pieceBytes)
            }
        }
    }

    @Test(
        "A long list is read in pieces, and errors name the element and the place in the document")
    func places() throws {
        func document(_ nodes: [String], _ end: String = "") -> [UInt8] {
            let head =
                #"{"format":1,"name":"s","propagation":"unified","updates":"immediate","traits":{},"#
                + #""environmentKeys":{},"colors":{},"images":{},"#
            return Array(
                (head + "\n\"nodes\":[\n" + nodes.joined(separator: ",\n") + "]\(end)}").utf8)
        }
        var nodes = (0..<4_000).map {
            #"{"id":"node-number-\#($0)","kind":"environment","parent":null}"#
        }
        #expect(document(nodes).count > 3 * DocumentImport.Order().pieceBytes)
        #expect(try Self.read(document(nodes)).hierarchy.nodeCount == 4_000)
        let good = nodes[3_500]
        nodes[3_500] = #"{"id":"x","kind":"tree"}"#
        var error = #expect(throws: SessionError.self) { try Self.read(document(nodes)) }
        #expect(error?.pointer == "/nodes/3500/kind")
        nodes[3_500] = #"{"id":"x" "kind":"view"}"#
        error = #expect(throws: SessionError.self) { try Self.read(document(nodes)) }
        #expect(error?.detail.contains("line 3503, column 11") == true, "\(error?.detail ?? "")")
        nodes[3_500] = #"{"id":"x","id":"y","kind":"view"}"#
        error = #expect(throws: SessionError.self) { try Self.read(document(nodes)) }
        #expect(error?.pointer == "/nodes/3500/id")
        nodes[3_500] = good
        error = #expect(throws: SessionError.self) {
            try Self.read(document(nodes, #","scopes":[],"registrations":[]"#))
        }
        #expect(error?.pointer == "/registrations")
        error = #expect(throws: SessionError.self) {
            try Self.read(document(nodes, #","limits":{"nodesMax":3}"#))
        }
        #expect(error?.pointer == "/limits" && error?.code == .malformedBody)
        error = #expect(throws: SessionError.self) {
            try Self.read(document(nodes, #","other":[]"#))
        }
        #expect(error?.code == .unknownMember)
    }

    @Test(
        "A comma without an element behind it is refused, wherever the list is cut",
        arguments: [1, 16, 350, 65_536])
    func trailingComma(pieceBytes: Int) throws {
        let text = Self.document
        let node = text.replacing(#""dark"}} ]"#, with: #""dark"}} , ]"#)
        let registration = text.replacing(
            #""userInterfaceStyle"]}]"#, with: #""userInterfaceStyle"]} , ]"#)
        for changed in [node, registration] + ["}", "x", " {}", "\n\n0"].map({ text + $0 }) {
            #expect(changed != text)
            let error = #expect(throws: SessionError.self) {
                try Self.read(Array(changed.utf8), pieceBytes: pieceBytes)
            }
            #expect(error?.code == .malformedJSON, "\(String(describing: error))")
        }
    }

    @Test("Members in another order, and the body of a request, are read as a whole")
    func otherOrders() throws {
        let sorted = #"""
            {"colors":{},"format":1,"name":"s","nodes":[{"id":"n","kind":"environment",
            "overrides":{"t":2}}],"traits":{"t":{"type":"int","default":1}}}
            """#
        #expect(try Self.read(Array(sorted.utf8)).hierarchy.nodeCount == 1)
        let body = #"{"nodes":[{"id":"n","kind":"environment"}],"name":"s"}"#
        #expect(try Self.read(Array(body.utf8)).hierarchy.nodeCount == 1)
        let nameless = #expect(throws: SessionError.self) {
            try Self.read(Array(#"{"nodes":[]}"#.utf8))
        }
        #expect(nameless?.code == .missingMember)
    }
}
