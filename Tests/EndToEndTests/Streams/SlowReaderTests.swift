// A reader that stops reading: nobody else waits for it, and it loses nothing that is retained.

import TestSupport
import Testing

@Suite("Slow readers", .timeLimit(.minutes(10)))
struct SlowReaderTests {
    /// A session whose commits are large: a string trait, heard at the cell.
    private static func session() throws -> SessionClient {
        let session = try sampleSession("slow")
        try session.put("traits/text", ["type": "string", "default": ""])
        try session.put("registrations/r", ["node": "cell0", "traits": ["text"]])
        return session
    }

    /// `count` commits of `bytes` each; gives back the last one's revision.
    private static func write(
        _ count: Int, _ bytes: Int, to session: SessionClient
    ) throws -> Int64? {
        let filler = String(repeating: "x", count: bytes)
        var revision: Int64?
        for number in 0..<count {
            let request = HTTPRequest(
                "PUT", session.target("nodes/scene/overrides/text"),
                text: #"{"value":"\#(number) \#(filler)"}"#)
            revision = try session.client.send(request).expecting(200).revision
        }
        return revision
    }

    /// Opens a stream and reads its head only.
    private static func stalled(_ session: SessionClient) throws -> RawConnection {
        let raw = try RawConnection(
            port: try sharedServer().port, timeLimit: .seconds(60), receiveBufferBytes: 65_536)
        try raw.send(
            "GET \(session.target("registrations/r/events")) HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try raw.read { String(decoding: $0, as: UTF8.self).contains(#""begin""#) }
        return raw
    }

    /// The records of a raw chunked answer, as far as they are whole.
    private static func records(_ bytes: [UInt8]) throws -> [JSON] {
        var text = ""
        var rest = String(decoding: bytes, as: UTF8.self)[...]
        if let head = rest.range(of: "\r\n\r\n"), rest.hasPrefix("HTTP/") {
            rest = rest[head.upperBound...]
        }
        while let end = rest.range(of: "\r\n"), let size = Int(rest[..<end.lowerBound], radix: 16) {
            let chunk = rest[end.upperBound...]
            guard size > 0, chunk.utf8.count >= size + 2 else { break }
            let stop = chunk.utf8.index(chunk.startIndex, offsetBy: size)
            text += chunk[..<stop]
            rest = chunk[chunk.utf8.index(stop, offsetBy: 2)...]
        }
        return try text.split(separator: "\n").map { try JSON(parsing: String($0)) }
    }

    @Test("Others get everything while one does not read, and it catches up when it does")
    func catchesUp() throws {
        let session = try Self.session()
        let slow = try Self.stalled(session)
        let others = try (0..<3).map { _ in try session.stream("registrations/r/events") }
        for other in others { _ = try other.next() }
        // Far more than socket buffers and the server's own buffer hold.
        let head = try Self.write(250, 15_000, to: session)
        for other in others {
            #expect(try other.collect(throughRevision: head).count == 250)
        }
        let mark = #""revision":\#(head ?? 0),"#
        let caughtUp = try slow.read { bytes in
            let tail = String(decoding: bytes.suffix(20_000), as: UTF8.self)
            return tail.contains(mark) && bytes.suffix(2) == [13, 10]
        }
        let records = try Self.records(caughtUp)
        let numbers = records.compactMap {
            $0["changes"]?[0]?["current"]?.string?.split(separator: " ").first.flatMap { Int($0) }
        }
        #expect(numbers == Array(0..<250))
    }

    @Test("Fallen out of the retained window, it is told so and where to go on")
    func fallsOut() throws {
        let session = try Self.session()
        let slow = try Self.stalled(session)
        // More than the 16 MiB that are retained, on top of what the buffers swallow.
        _ = try Self.write(2_000, 16_000, to: session)
        let told = try slow.read { $0.suffix(5) == Array("0\r\n\r\n".utf8)[...] }
        let text = String(decoding: told.suffix(2_000), as: UTF8.self)
        #expect(text.contains(#""type":"end""#))
        #expect(text.contains(#""reason":"slowConsumer""#))
        #expect(text.hasSuffix("0\r\n\r\n"))
        let gone = try session.get("registrations/r/events?from=2")
        let problem = try expectProblem(gone, 410, "history-gone")
        #expect(problem["oldestRevision"]?.int ?? 0 > 2)
        #expect(problem["currentRevision"]?.int == (try session.revision()))
        let fresh = try session.stream("registrations/r/events?initial=true")
        #expect(try fresh.collect { $0.type == "sync" }.count == 3)
    }
}
