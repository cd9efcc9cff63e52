// The index at `/`, as HTML, text and JSON, and the documents of the interface. Links are relative, so that
// they work behind a proxy that adds a path prefix.

import HTTPServer
import HTTPWire
import JSONCodec

extension TraitService {
    /// `/`: links to the other documents. Text, unless `Accept` prefers HTML or JSON.
    func showIndex(_ request: Request) throws(Problem) {
        let context = request.context
        let offered: [StaticString] = ["text/plain", "application/json", "text/html"]
        let chosen = try request.chosenMediaType(offered)
        context.field("Vary", "Accept")
        context.contentType = chosen == 1 ? "application/json" : Self.textTypes[chosen / 2]
        switch chosen {
        case 0: writeText(into: &context.body, host: Self.host(of: request.exchange))
        case 1: writeJSON(into: &context.body)
        default:
            secure(context, Self.indexPolicy)
            writePage(into: &context.body, host: Self.host(of: request.exchange))
        }
    }

    private static let textTypes: [StaticString] = [
        "text/plain; charset=utf-8", "text/html; charset=utf-8",
    ]

    private struct Link {
        let name: String
        let path: String
        let words: String
    }

    private var links: [Link] {
        inspector.mode == .off ? Self.links : [Self.inspectorLink] + Self.links
    }

    private static let inspectorLink = Link(
        name: "ui", path: "ui", words: "the inspector, for browsers")

    private static let links: [Link] = [
        Link(name: "docs", path: "docs", words: "the documentation of the interface"),
        Link(
            name: "openapi", path: "openapi.json",
            words: "the interface, for programs (OpenAPI 3.1)"),
        Link(name: "openapiYAML", path: "openapi.yaml", words: "the same in YAML"),
        Link(name: "sessions", path: "v1/sessions", words: "the sessions"),
        Link(name: "traits", path: "v1/traits", words: "the system traits and their sets"),
        Link(name: "whoami", path: "v1/whoami", words: "your token and its permissions"),
        Link(name: "ready", path: "readyz?verbose", words: "the readiness checks"),
        Link(name: "metrics", path: "metrics", words: "metrics for Prometheus"),
        Link(name: "version", path: "version", words: "the version of the server"),
    ]

    private func writeJSON(into body: inout JSONWriter) {
        body.beginObject()
        body.member("name", "traitd")
        body.member("version", version)
        body.beginObject("links")
        for link in links {
            body.key(link.name)
            body.value(link.path)
        }
        body.endObject()
        body.endText()
    }

    /// The arguments with which curl reaches this server as the request did. Hosts that a shell or a page might
    /// read in another way than curl are left out for the address.
    private static func host(of exchange: Exchange) -> String {
        if case .unix(let path) = exchange.listener.address {
            return "--unix-socket \(path) localhost"
        }
        guard let authority = exchange.authority, !authority.isEmpty,
            authority.allSatisfy(isPlain)
        else { return exchange.listener.address.description }
        return String(decoding: authority, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }

    private func writeText(into body: inout JSONWriter, host: String) {
        body.verbatim("traitd \(version): UIKit's trait system as a service\n\n")
        let width = links.map(\.path.count).max() ?? 0
        for link in links {
            let gap = String(repeating: " ", count: width - link.path.count + 2)
            body.verbatim("  /\(link.path)\(gap)\(link.words)\n")
        }
        body.verbatim("\n\(Self.beginning)\n\n")
        for line in Self.commands(host) { body.verbatim("  \(line)\n") }
    }

    private static let beginning =
        "Make a session, a node in it, and ask what the node's traits are:"

    private static func commands(_ host: String) -> [String] {
        [
            "curl -X PUT \(host)/v1/sessions/demo",
            "curl -X PUT \(host)/v1/sessions/demo/nodes/root --json '{\"kind\": \"environment\"}'",
            "curl \(host)/v1/sessions/demo/nodes/root/traits?pretty=true",
        ]
    }

    private static let style = """
        :root { color-scheme: light dark; font: 15px/1.6 system-ui, sans-serif }
        body { background: light-dark(#ffffff, #16181c); color: light-dark(#1b1f24, #e4e7eb);
          margin: 0 auto; max-width: 46rem; overflow-wrap: anywhere; padding: 1.5rem 1rem }
        a { color: light-dark(#0b57c2, #85b7ff) }
        ul { padding-inline-start: 1.2rem }
        pre { background: light-dark(#f6f7f9, #1c1f24); border: 1px solid light-dark(#d5dae0, #343a42);
          border-radius: 6px; overflow: auto; padding: .6rem }
        """

    private static let indexPolicy = Array("<style>\(style)</style>".utf8).withUnsafeBytes {
        PagePolicy.policy(of: $0)
    }

    private func writePage(into body: inout JSONWriter, host: String) {
        body.verbatim(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                + "<title>traitd</title>\n<style>\(Self.style)</style>\n<main>\n<h1>traitd</h1>\n"
                + "<p>UIKit’s trait system as a service.</p>\n<ul>\n")
        for link in links {
            body.verbatim("<li><a href=\"\(link.path)\">\(link.path)</a>: \(link.words)\n")
        }
        body.verbatim("</ul>\n<p>\(Self.beginning)</p>\n<pre tabindex=\"0\">")
        for line in Self.commands(host) { body.verbatim(Self.escaped(line) + "\n") }
        body.verbatim("</pre>\n</main>\n</html>\n")
    }

    /// As text of a page. A socket file may have any name.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
    }

    /// `/docs`: a page that shows openapi.json.
    func showDocs(_ request: Request) throws(Problem) {
        _ = try request.chosenMediaType(["text/html"])
        request.context.contentType = "text/html; charset=utf-8"
        secure(request.context, OpenAPIDocument.pagePolicy)
        request.context.body.verbatim(OpenAPIDocument.page)
    }

    /// Forbids a page to load anything from other origins, and other pages to frame it.
    private func secure(_ context: RequestContext, _ policy: String) {
        context.field("Content-Security-Policy", policy)
        context.field("Referrer-Policy", "no-referrer")
    }

    func showOpenAPI(_ request: Request) throws(Problem) {
        _ = try request.chosenMediaType(["application/yaml"])
        request.context.contentType = "application/yaml"
        request.context.body.verbatim(OpenAPIDocument.bytes)
    }

    /// `/client.js`: the client in JavaScript, which a page imports from the server that it asks.
    func showClient(_ request: Request) throws(Problem) {
        _ = try request.chosenMediaType(["text/javascript"])
        let context = request.context
        context.contentType = "text/javascript; charset=utf-8"
        context.field("Cache-Control", "no-cache")
        context.body.verbatim(OpenAPIDocument.client)
        request.finishReading(tagOf: version, Int(OpenAPIDocument.clientFingerprint))
    }

    /// `/openapi.json`: the same document as JSON.
    func showOpenAPIJSON(_ request: Request) {
        request.context.body.verbatim(OpenAPIDocument.json)
    }
}
