// Sessions as documents, against the real binary: exported at one revision, imported under a new name, and
// loaded from files, pipes and standard input.

import Foundation
import TestSupport
import Testing

@Suite("Documents of sessions")
struct DocumentStoryTests {
    private static func export(_ session: SessionClient, _ query: String = "") throws
        -> HTTPResponse
    {
        try session.get("export" + query).expecting(200)
    }

    @Test("An export that is imported is exported again byte for byte")
    func roundTrip() throws {
        let session = try sampleSession("document", cells: 40)
        try session.put("registrations/r", ["node": "cell3", "traits": ["theme"]])
        try session.put(
            "nodes/cell4/scopes/layoutSubviews", ["reads": ["theme", "displayScale"]])
        try session.put("colors/accent", ["variants": [["value": "#000"]]])
        let document = try Self.export(session)
        #expect(document["Content-Type"] == "application/json")
        let revision = try session.revision()
        #expect(document["Traitd-Revision"] == "\(revision)")
        let copy = try SessionClient("\(session.name)-copy", on: session.client.baseURL)
        let target = "import?as=\(copy.name)"
        let dry = try session.client.send(
            HTTPRequest(
                "PUT", session.target(target + "&dryRun=true"), text: document.text)
        ).expecting(201)
        #expect(try dry.json["dryRun"] == true)
        #expect(try copy.get("").status == 404)
        let made = try session.client.send(
            HTTPRequest("PUT", session.target(target), text: document.text)
        ).expecting(201)
        #expect(made["Location"] == "/v1/sessions/\(copy.name)")
        #expect(try made.json["revision"] == 1)
        let again = try Self.export(copy).text
        let name = #""name":"\#(copy.name)""#
        #expect(
            again.replacing(name, with: #""name":"\#(session.name)""#) == document.text)
        try expectProblem(
            try session.client.send(
                HTTPRequest("PUT", session.target(target), text: document.text)), 409, "exists")
        try expectProblem(
            try session.client.send(
                HTTPRequest("PUT", "/v1/sessions/\(copy.name)-x/import", text: document.text)), 400,
            "malformed-body")
    }

    @Test(
        "A long export is compressed for a client that accepts gzip, and its tag names the revision"
    )
    func streamed() throws {
        let session = try sampleSession("document", cells: 3_000)
        let plain = try Self.export(session)
        var request = HTTPRequest("GET", session.target("export"))
        request.acceptsGzip = true
        let packed = try session.client.send(request).expecting(200)
        #expect(packed["Content-Encoding"] == "gzip" && packed.body == plain.body)
        #expect(plain["Content-Encoding"] == nil && plain["Vary"] == "Accept-Encoding")
        #expect(plain.body.count > 100_000)
        let tag = try #require(plain["ETag"])
        let same = try session.send(
            "GET", "export", fields: [HTTPField("If-None-Match", tag)])
        #expect(same.status == 304 && same.body.isEmpty)
        let head = try session.send("HEAD", "export").expecting(200)
        #expect(head.body.isEmpty && head["ETag"] == tag)
        let specified = try Self.export(session, "?specified=true")
        #expect(specified["ETag"] != tag)
        #expect(!specified.text.contains("createdAt"))
        try session.override("theme", at: "cell1", "bold")
        #expect(try Self.export(session)["ETag"] != tag)
    }

    @Test("A document that is refused at its end creates no session")
    func refused() throws {
        let session = try sampleSession("document", cells: 2_000)
        let text = try Self.export(session).text
        let broken = text.replacing(#""scopes":[]"#, with: #""scopes":[{"node":"nowhere"}]"#)
        #expect(broken != text)
        let target = session.target("import?as=\(session.name)-2")
        let answer = try session.client.send(HTTPRequest("PUT", target, text: broken))
        let problem = try expectProblem(answer, 422, "unknown-parent")
        #expect(problem["pointer"] == "/scopes/0/node")
        #expect(try session.client.get("/v1/sessions/\(session.name)-2").status == 404)
        let cut = try session.client.send(
            HTTPRequest("PUT", target, text: String(text.dropLast(40))))
        try expectProblem(cut, 400, "malformed-json")
        let none = try session.client.send(
            HTTPRequest(
                "PUT", target, fields: [HTTPField("Content-Type", "application/json")]))
        try expectProblem(none, 400, "malformed-json")
        try expectProblem(
            try session.client.send(
                HTTPRequest("PUT", session.target("import?as=a%20b"), text: text)), 400,
            "malformed-identifier")
    }

    /// A document of an import, sent as it is or by chunks, behind its head.
    private static func send(
        _ document: [UInt8], to target: String, _ traitd: TraitdProcess, fields: String = "",
        chunkBytes: Int? = nil
    ) throws -> [UInt8] {
        let connection = try RawConnection(port: traitd.port)
        let framing =
            chunkBytes == nil ? "Content-Length: \(document.count)" : "Transfer-Encoding: chunked"
        try connection.send(
            "PUT \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(traitd.port)\r\nContent-Type: application/json\r\n\(fields)\(framing)\r\nExpect: 100-continue\r\n\r\n"
        )
        // The server has asked for the body: it comes behind the head.
        let asked = try connection.read { $0.count >= 25 }
        guard statusCodes(in: asked) == [100] else { return try asked + connection.readToEnd() }
        var body = document
        if let chunkBytes {
            body = []
            for start in stride(from: 0, to: document.count, by: chunkBytes) {
                let piece = document[start..<min(start + chunkBytes, document.count)]
                body += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10]
            }
            body += Array("0\r\n\r\n".utf8)
        }
        body += Array("GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)
        try connection.send(body)
        return try connection.readToEnd()
    }

    @Test(
        "A document longer than bodies may be is imported as it comes, and the connection goes on",
        arguments: [false, true], [nil, 1_000, 100_000])
    func imported(isPacked: Bool, chunkBytes: Int?) throws {
        let traitd = try TraitdProcess(["--limit", "body-bytes-max=65536", "--allow-host", "a"])
        let session = try sampleSession("document", cells: 5_000)
        let document = try Self.export(session).body
        #expect(document.count > 200_000)
        let body = isPacked ? try Gzip.compress(document) : document
        let target = session.target("import")
        for (round, expected) in [(0, [201, 200]), (1, [409])] {
            let answer = try Self.send(
                body, to: target, traitd, fields: isPacked ? "Content-Encoding: gzip\r\n" : "",
                chunkBytes: chunkBytes)
            let codes = statusCodes(in: answer)
            #expect(codes.starts(with: expected), "round \(round): \(codes)")
        }
        let copy = try HTTPClient(traitd.url)
        #expect(try copy.get(session.target("export")).expecting(200).body == document)
    }

    @Test(
        "A document longer than bodies may be is applied, and the connection goes on",
        arguments: [false, true], [nil, 1_000, 100_000])
    func applied(isPacked: Bool, chunkBytes: Int?) throws {
        let traitd = try TraitdProcess(["--limit", "body-bytes-max=65536", "--allow-host", "a"])
        let session = try sampleSession("document", cells: 5_000)
        let document = try Self.export(session, "?specified=true").body
        let body = isPacked ? try Gzip.compress(document) : document
        let copy = try SessionClient(session.name, on: traitd.url)
        try copy.put("", [:])
        let target = session.target("apply")
        let fields = isPacked ? "Content-Encoding: gzip\r\n" : ""
        for revision in [2, 2] {
            let answer = try Self.send(
                body, to: target, traitd, fields: fields, chunkBytes: chunkBytes)
            let codes = statusCodes(in: answer)
            #expect(codes.starts(with: [200, 200]), "\(codes)")
            #expect(try copy.revision() == revision)
        }
        let name = try copy.get("export?specified=true").expecting(200).body
        #expect(name == document)
        // A fault is found in the whole document, and a body that is no document of this length is refused as before.
        let broken = Array(
            String(decoding: document, as: UTF8.self)
                .replacing(#""id":"cell2500""#, with: #""id":"cell 2500""#).utf8)
        let refused = String(
            decoding: try Self.send(broken, to: target, traitd, chunkBytes: chunkBytes),
            as: UTF8.self)
        #expect(refused.contains(#""code":"malformed-identifier""#) && refused.contains("/nodes/"))
        let other = try Self.send(broken, to: session.target("traits/long"), traitd)
        #expect(statusCodes(in: other).first == 413)
        #expect(try copy.revision() == 2)
    }

    @Test("A document that is too long for an apply is refused before it is read")
    func tooLongToApply() throws {
        let traitd = try TraitdProcess([
            "--limit", "body-bytes-max=65536", "--limit", "document-bytes-max=100000",
            "--allow-host", "a",
        ])
        let session = try sampleSession("document", cells: 5_000)
        let document = try Self.export(session, "?specified=true").body
        let copy = try SessionClient(session.name, on: traitd.url)
        try copy.put("", [:])
        for chunkBytes in [nil, 1_000] {
            let answer = try Self.send(
                document, to: session.target("apply"), traitd, chunkBytes: chunkBytes)
            #expect(statusCodes(in: answer).first == 413)
            #expect(String(decoding: answer, as: UTF8.self).contains("documentBytesMax=100000"))
        }
        #expect(try copy.revision() == 1)
    }

    @Test("A document that is refused on its way leaves nothing, and says where")
    func refusedOnTheWay() throws {
        let traitd = try TraitdProcess([
            "--limit", "body-bytes-max=65536", "--limit", "document-bytes-max=2000000",
            "--allow-host", "a",
        ])
        let session = try sampleSession("document", cells: 5_000)
        let text = try Self.export(session).text
        let target = session.target("import")
        func expect(
            _ document: String, _ status: Int, _ code: String, _ words: String = "",
            fields: String = ""
        ) throws {
            let answer = try Self.send(Array(document.utf8), to: target, traitd, fields: fields)
            #expect(statusCodes(in: answer).first == status, "\(code)")
            let said = String(decoding: answer, as: UTF8.self)
            #expect(said.contains(#""code":"\#(code)""#) && said.contains(words), "\(said)")
            #expect(said.contains("Connection: close"))
            #expect(try HTTPClient(traitd.url).get(session.target("")).status == 404)
        }
        let broken = text.replacing(#""id":"cell2500""#, with: #""id":"cell 2500""#)
        try expect(broken, 400, "malformed-identifier", "/nodes/")
        try expect(text.replacing(#""kind":"#, with: #""kinds":"#), 400, "unknown-member", "kind")
        try expect(
            String(repeating: " ", count: 300_000) + text, 413, "body-too-large",
            "bodyBytesMax=65536")
        let long = text.replacing(
            #"},{"id":"#, with: "}," + String(repeating: " ", count: 400) + #"{"id":"#)
        try expect(long, 413, "body-too-large", "documentBytesMax=2000000")
        let element = text.replacing(
            #""nodes":["#,
            with: #""nodes":[{"id":""# + String(repeating: "x", count: 300_000) + #""},"#)
        try expect(element, 413, "body-too-large", "bodyBytesMax=65536")
        let reordered = text.replacing(#""scopes":[]"#, with: "")
            .replacing(#"{"format":1,"#, with: #"{"scopes":[],"format":1,"#)
        try expect(reordered, 413, "body-too-large", "bodyBytesMax=65536")
        try expect(text, 400, "malformed-request", "gzip", fields: "Content-Encoding: gzip\r\n")
    }

    @Test("Standard input, pipes and files of gzip are loaded, and damaged gzip is refused")
    func loaded() throws {
        let session = try sampleSession("document", cells: 500)
        let document = try Self.export(session).body
        let packed = try Gzip.compress(document)
        let folder = NSTemporaryDirectory() + "documents-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func file(_ name: String, _ bytes: [UInt8]) throws -> String {
            try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
            return "\(folder)/\(name)"
        }
        // The server replaces the shell each time, so that the signal at the end reaches it.
        let sources: [String] = [
            "exec \"$0\" --port 0 --load \(try file("a.json", document))",
            "exec \"$0\" --port 0 --load \(try file("a.json.gz", packed))",
            "exec \"$0\" --port 0 --load - < \(folder)/a.json",
            "mkfifo \(folder)/q; cat \(folder)/a.json.gz > \(folder)/q & exec \"$0\" --port 0 --load - < \(folder)/q",
            "mkfifo \(folder)/p; cat \(folder)/a.json > \(folder)/p & exec \"$0\" --port 0 --load \(folder)/p",
        ]
        for source in sources {
            let child = try ChildProcess("/bin/sh", ["-c", source, TraitdProcess.binary])
            defer { child.signal(SIGKILL) }
            let deadline = Deadline(within: .seconds(30))
            var url: String?
            while url == nil, let line = try child.nextLine(before: deadline) {
                if let start = line.text.range(of: "serving on http://")?.upperBound {
                    url = "http://" + line.text[start...]
                }
            }
            let client = try HTTPClient(try #require(url, "\(source): \(child.standardError)"))
            #expect(
                try client.get("/v1/sessions/\(session.name)/export").expecting(200).body
                    == document)
        }
        for (name, bytes) in [
            ("short.gz", Array(packed.dropLast(9))),
            (
                "bad.gz",
                packed.enumerated().map { $0.offset == packed.count / 2 ? ~$0.element : $0.element }
            ),
        ] {
            let path = try file(name, bytes)
            let run = try TraitdProcess.run(["--port", "0", "--load", path])
            #expect(run.exit == .code(65), "\(name): \(run.error)")
            #expect(run.error.contains(path), "\(run.error)")
        }
    }
}
