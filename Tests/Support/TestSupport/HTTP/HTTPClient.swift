// One client connection: requests one after another, kept alive between them.

import CCurl
import Foundation

/// A request as a test writes it down.
package struct HTTPRequest: Sendable {
    package var method: String
    /// Path and query, sent exactly as given.
    package var target: String
    package var fields: [HTTPField]
    package var body: [UInt8]?
    /// Offer gzip and decode what comes back.
    package var acceptsGzip = false

    package init(
        _ method: String, _ target: String, fields: [HTTPField] = [], body: [UInt8]? = nil
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }

    /// A request with a JSON body.
    package init(_ method: String, _ target: String, json: JSON, fields: [HTTPField] = []) {
        self.init(
            method, target, fields: fields + [HTTPField("Content-Type", "application/json")],
            body: json.bytes)
    }

    /// A request with a body given as text, valid JSON or not.
    package init(_ method: String, _ target: String, text: String, fields: [HTTPField] = []) {
        self.init(
            method, target, fields: fields + [HTTPField("Content-Type", "application/json")],
            body: Array(text.utf8))
    }
}

/// A blocking HTTP/1.1 client over libcurl. Every request has a hard time limit.
package final class HTTPClient: @unchecked Sendable {
    // Confinement: `handle` is used only while `lock` is held.
    private let lock = NSLock()
    private let handle: CurlHandle
    /// Scheme and authority, without a slash at the end.
    package let baseURL: String
    private let timeLimit: Duration
    /// What serves in this process as long as there is a client.
    let server: (any AnyObject & Sendable)?

    package init(
        _ baseURL: String, timeLimit: Duration = .seconds(30),
        keeping server: (any AnyObject & Sendable)? = nil
    ) throws {
        self.baseURL = baseURL
        self.server = server
        self.timeLimit = timeLimit
        handle = try CurlHandle()
    }

    package func send(_ request: HTTPRequest) throws -> HTTPResponse {
        try lock.withLock { try perform(request) }
    }

    package func send(
        _ method: String, _ target: String, json: JSON? = nil, fields: [HTTPField] = []
    ) throws -> HTTPResponse {
        if let json {
            return try send(HTTPRequest(method, target, json: json, fields: fields))
        }
        // A POST needs its content type even without a body.
        let type = method == "POST" ? [HTTPField("Content-Type", "application/json")] : []
        return try send(HTTPRequest(method, target, fields: fields + type))
    }

    package func get(_ target: String, fields: [HTTPField] = []) throws -> HTTPResponse {
        try send("GET", target, fields: fields)
    }

    private func perform(_ request: HTTPRequest) throws -> HTTPResponse {
        let sink = BodySink()
        sink.deadline = Deadline(within: timeLimit)
        handle.reset()
        handle.set(CURLOPT_URL, baseURL + request.target)
        handle.set(CURLOPT_CUSTOMREQUEST, request.method)
        if request.method == "HEAD" { handle.set(CURLOPT_NOBODY, 1) }
        if request.acceptsGzip { handle.set(CURLOPT_ACCEPT_ENCODING, "gzip") }
        handle.setFields(request.fields)
        handle.setSink(sink)
        try withExtendedLifetime(sink) {
            guard let body = request.body else { return try handle.perform() }
            // An empty array has no address, which libcurl would take for "read from stdin".
            try (body + [0]).withUnsafeBytes { bytes in
                handle.setBody(UnsafeRawBufferPointer(rebasing: bytes.dropLast()))
                try handle.perform()
            }
        }
        return HTTPResponse(
            request: "\(request.method) \(request.target)", head: sink.collector.head,
            body: sink.bytes)
    }

    private final class BodySink: TransferSink {
        var bytes: [UInt8] = []

        override func body(_ bytes: UnsafeRawBufferPointer) {
            self.bytes.append(contentsOf: bytes)
        }
    }
}
