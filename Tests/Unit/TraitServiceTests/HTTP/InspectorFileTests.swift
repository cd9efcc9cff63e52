// `/ui`: the files of the repository with the fields that keep hostile pages out, and the mode of `--ui`.

import Foundation
import TestSupport
import Testing

@testable import TraitService

@Suite("The files of the inspector")
struct InspectorFileTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("ui")

    private static let fields = [
        "Content-Security-Policy":
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            + "require-trusted-types-for 'script'",
        "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-cache",
    ]

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
    ]

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    }

    @Test("Every file of the folder is served as it is, with the fields that browsers check")
    func files() throws {
        let client = try InProcessService().client()
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(names.contains("app.js") && names.contains("index.html"))
        for name in names {
            let target = name == "index.html" ? "/ui" : "/ui/\(name)"
            let answer = try client.get(target)
            #expect(answer.status == 200, "\(target)")
            #expect(answer.text == (try text(name)), "\(target)")
            let ending = name.split(separator: ".").last.map(String.init) ?? ""
            #expect(answer[header: "Content-Type"] == Self.types[ending])
            for (field, value) in Self.fields {
                #expect(answer[header: field] == value, "\(field)")
            }
            let tag = try #require(answer[header: "ETag"])
            let known = [HTTPField("If-None-Match", tag)]
            let again = try client.send("GET", target, fields: known)
            #expect(again.status == 304 && again.text.isEmpty)
            #expect(again[header: "ETag"] == tag && again[header: "Cache-Control"] == "no-cache")
            let head = try client.send("HEAD", target)
            #expect(head[header: "Content-Length"] == answer[header: "Content-Length"])
        }
    }

    @Test("Names that are no file of the page are 404, and neither form of the page has JSON")
    func others() throws {
        let client = try InProcessService().client()
        for target in ["/ui/index.html", "/ui/x.js", "/ui/..%2fapp.js", "/ui/", "/ui/app.js/x"] {
            try expectProblem(try client.get(target), 404, "unknown-route")
        }
        let json = [HTTPField("Accept", "application/json")]
        try expectProblem(try client.get("/ui", fields: json), 406, "not-acceptable")
        try expectProblem(try client.get("/ui/app.js", fields: json), 406, "not-acceptable")
        try expectProblem(try client.get("/ui?x=1"), 400, "unknown-parameter")
        #expect(try client.send("POST", "/ui").status == 405)
    }

    @Test("The page says that it may not write, with a tag of its own")
    func readonly() throws {
        let open = try InProcessService()
        let narrow = try InProcessService(inspector: .readonly)
        defer {
            open.stop()
            narrow.stop()
        }
        let page = try narrow.client().get("/ui")
        #expect(
            page.text
                == (try text("index.html")).replacingOccurrences(
                    of: "data-ui=\"on\"", with: "data-ui=\"readonly\""))
        #expect(page.text.contains("<html lang=\"en\" data-ui=\"readonly\">"))
        #expect(try page[header: "ETag"] != open.client().get("/ui")[header: "ETag"])
        #expect(
            try narrow.client().get("/ui/app.js")[header: "ETag"]
                == open.client().get("/ui/app.js")[header: "ETag"])
    }

    @Test("A server without the inspector has its client, and an index that does not name the page")
    func off() throws {
        let client = try InProcessService(inspector: .off).client()
        for target in ["/ui", "/ui/app.js"] {
            let problem = try expectProblem(try client.get(target), 404, "unknown-route")
            #expect(problem["detail"]?.string?.contains("--ui off") == true)
        }
        #expect(try client.get("/client.js").status == 200)
        let json = [HTTPField("Accept", "application/json")]
        #expect(try client.get("/", fields: json).json["links"]?["ui"] == nil)
        let other = try InProcessService()
        #expect(try other.client().get("/", fields: json).json["links"]?["ui"] == "ui")
        #expect(try other.client().get("/").text.contains("/ui  "))
    }
}
