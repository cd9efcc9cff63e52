// One session as a client sees it: short spellings for what most tests say most often.

import Synchronization

/// A client of one session, on a connection of its own.
package struct SessionClient: Sendable {
    package let client: HTTPClient
    package let name: String

    package init(
        _ name: String, on baseURL: String, keeping server: (any AnyObject & Sendable)? = nil
    ) throws {
        client = try HTTPClient(baseURL, keeping: server)
        self.name = name
    }

    private static let counter = Atomic<Int>(0)

    /// A session that no other test knows.
    package static func make(
        _ label: String, on baseURL: String, _ body: JSON = [:],
        keeping server: (any AnyObject & Sendable)? = nil
    ) throws -> SessionClient {
        let number = counter.add(1, ordering: .relaxed).newValue
        let session = try SessionClient("\(label)-\(number)", on: baseURL, keeping: server)
        try session.client.send("PUT", "/v1/sessions/\(session.name)", json: body).expecting(201)
        return session
    }

    /// The same session over another connection.
    package func another() throws -> SessionClient {
        try SessionClient(name, on: client.baseURL, keeping: client.server)
    }

    // MARK: Requests

    /// `rest` is what follows `/v1/sessions/{s}/`; empty for the session itself.
    package func target(_ rest: String) -> String {
        "/v1/sessions/\(name)" + (rest.isEmpty || rest.hasPrefix("?") ? rest : "/\(rest)")
    }

    package func url(_ rest: String) -> String { client.baseURL + target(rest) }

    package func send(
        _ method: String, _ rest: String, _ json: JSON? = nil, fields: [HTTPField] = []
    ) throws -> HTTPResponse {
        try client.send(method, target(rest), json: json, fields: fields)
    }

    package func get(_ rest: String) throws -> HTTPResponse { try send("GET", rest) }

    @discardableResult
    package func put(_ rest: String, _ json: JSON) throws -> HTTPResponse {
        try send("PUT", rest, json).success()
    }

    @discardableResult
    package func delete(_ rest: String) throws -> HTTPResponse {
        try send("DELETE", rest).success()
    }

    @discardableResult
    package func transaction(_ operations: [JSON], _ query: String = "") throws -> HTTPResponse {
        try send("POST", "transactions" + query, ["operations": .array(operations)]).success()
    }

    package func stream(_ rest: String, fields: [HTTPField] = []) throws -> EventStream {
        try EventStream(url(rest), fields: fields)
    }

    /// The elements of a list, page by page; `rest` has the size of a page.
    package func all(_ rest: String, _ member: String, of body: JSON? = nil) throws -> [JSON] {
        var (found, token): ([JSON], String) = ([], "")
        repeat {
            let page = try send(body == nil ? "GET" : "POST", rest + token, body).expecting(200)
            found += try page.json[member]?.array ?? []
            token = try page.json["nextPageToken"]?.string.map { "&pageToken=\($0)" } ?? ""
        } while !token.isEmpty
        return found
    }

    // MARK: Traits

    @discardableResult
    package func override(_ trait: String, at node: String, _ value: JSON) throws -> HTTPResponse {
        try put("nodes/\(node)/overrides/\(trait)", ["value": value])
    }

    @discardableResult
    package func removeOverride(_ trait: String, at node: String) throws -> HTTPResponse {
        try delete("nodes/\(node)/overrides/\(trait)")
    }

    package func value(of trait: String, at node: String) throws -> JSON? {
        try get("nodes/\(node)/traits/\(trait)").expecting(200).json["value"]
    }

    // MARK: State

    package func revision() throws -> Int64 {
        guard let revision = try get("").expecting(200).json["revision"]?.int else {
            throw TimedOut("a revision")
        }
        return revision
    }

    /// Everything a refused request could have changed, revision included.
    package func state() throws -> [JSON] {
        let lists = ["nodes", "registrations", "environmentKeys", "colors", "images"]
        return try (["", "traits"] + lists.map { $0 + "?pageSize=1000" }).map {
            try get($0).expecting(200).json
        }
    }
}
