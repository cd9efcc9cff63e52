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
            secure(context)
            writePage(into: &context.body)
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

    /// The arguments with which curl reaches this server as the request did.
    private static func host(of exchange: Exchange) -> String {
        if case .unix(let path) = exchange.listener.address {
            return "--unix-socket \(path) localhost"
        }
        guard let authority = exchange.authority, !authority.isEmpty else {
            return exchange.listener.address.description
        }
        return String(decoding: authority, as: UTF8.self)
    }

    private func writeText(into body: inout JSONWriter, host: String) {
        body.verbatim("traitd \(version): UIKit's trait system as a service\n\n")
        let width = links.map(\.path.count).max() ?? 0
        for link in links {
            let gap = String(repeating: " ", count: width - link.path.count + 2)
            body.verbatim("  /\(link.path)\(gap)\(link.words)\n")
        }
        body.verbatim(
            "\nMake a session, a node in it, and ask what the node's traits are:\n\n"
                + "  curl -X PUT \(host)/v1/sessions/demo\n"
                + "  curl -X PUT \(host)/v1/sessions/demo/nodes/root --json '{\"kind\": \"environment\"}'\n"
                + "  curl \(host)/v1/sessions/demo/nodes/root/traits?pretty=true\n")
    }

    private func writePage(into body: inout JSONWriter) {
        body.verbatim(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width\">\n<title>traitd</title>\n"
                + "<style>body { font: 1em/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 40em; "
                + "padding: 0 1em; color-scheme: light dark }</style>\n<h1>traitd</h1>\n"
                + "<p>UIKit’s trait system as a service.</p>\n<ul>\n")
        for link in links {
            body.verbatim("<li><a href=\"\(link.path)\">\(link.path)</a>: \(link.words)\n")
        }
        body.verbatim("</ul>\n</html>\n")
    }

    /// `/docs`: a page that shows openapi.json.
    func showDocs(_ request: Request) throws(Problem) {
        _ = try request.chosenMediaType(["text/html"])
        request.context.contentType = "text/html; charset=utf-8"
        secure(request.context)
        request.context.body.verbatim(OpenAPIDocument.page)
    }

    /// Forbids pages to load anything from other origins, and other pages to frame them.
    private func secure(_ context: RequestContext) {
        context.field(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
                + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
        context.field("X-Content-Type-Options", "nosniff")
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
        context.field("X-Content-Type-Options", "nosniff")
        context.body.verbatim(OpenAPIDocument.client)
        request.finishReading(tagOf: version, Int(OpenAPIDocument.clientFingerprint))
    }

    /// `/openapi.json`: the same document as JSON.
    func showOpenAPIJSON(_ request: Request) {
        request.context.body.verbatim(OpenAPIDocument.json)
    }
}
