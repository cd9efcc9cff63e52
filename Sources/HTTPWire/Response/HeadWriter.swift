// A head is a dozen small pieces. Their room is made once, and then each piece is one copy. The status lines are
// constants; a reason phrase is for people only.

import Glibc

/// Writes the pieces of a head one behind the other into room that was made for them.
struct HeadWriter {
    /// More than all pieces of a head together but the content type and the given fields: the
    /// status line 52 at most, the date 37, type 16, nosniff 33, coding 47, framing 38, connection 26.
    static let fixedBytesMax = 256

    private(set) var position: UnsafeMutableRawPointer

    @inline(__always)
    init(_ start: UnsafeMutableRawPointer) { position = start }

    @inline(__always)
    mutating func put(_ text: StaticString) {
        memcpy(position, text.utf8Start, text.utf8CodeUnitCount)
        position += text.utf8CodeUnitCount
    }

    @inline(__always)
    mutating func put(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        memcpy(position, base, bytes.count)
        position += bytes.count
    }

    @inline(__always)
    mutating func put(decimal value: Int) {
        position += Digits.writeDecimal(value, to: position)
    }
}

extension HeadWriter {
    /// `HTTP/1.1`, the status and its phrase.
    @inline(__always)
    mutating func statusLine(_ status: Int) {
        if status == 200 { return put("HTTP/1.1 200 OK\r\n") }
        if let line = Self.statusLine(status) { return put(line) }
        precondition(status >= 100 && status <= 999, "a status has three digits")
        put("HTTP/1.1 ")
        put(decimal: status)
        // The space is required even when no phrase follows it (RFC 9112 section 4).
        put(" \r\n")
    }

    private static func statusLine(_ status: Int) -> StaticString? {
        switch status {
        case 200: "HTTP/1.1 200 OK\r\n"
        case 201: "HTTP/1.1 201 Created\r\n"
        case 202: "HTTP/1.1 202 Accepted\r\n"
        case 204: "HTTP/1.1 204 No Content\r\n"
        case 304: "HTTP/1.1 304 Not Modified\r\n"
        case 307: "HTTP/1.1 307 Temporary Redirect\r\n"
        case 308: "HTTP/1.1 308 Permanent Redirect\r\n"
        case 400: "HTTP/1.1 400 Bad Request\r\n"
        case 401: "HTTP/1.1 401 Unauthorized\r\n"
        case 403: "HTTP/1.1 403 Forbidden\r\n"
        case 404: "HTTP/1.1 404 Not Found\r\n"
        case 405: "HTTP/1.1 405 Method Not Allowed\r\n"
        case 406: "HTTP/1.1 406 Not Acceptable\r\n"
        case 408: "HTTP/1.1 408 Request Timeout\r\n"
        case 409: "HTTP/1.1 409 Conflict\r\n"
        case 410: "HTTP/1.1 410 Gone\r\n"
        case 411: "HTTP/1.1 411 Length Required\r\n"
        case 412: "HTTP/1.1 412 Precondition Failed\r\n"
        case 413: "HTTP/1.1 413 Content Too Large\r\n"
        case 414: "HTTP/1.1 414 URI Too Long\r\n"
        case 415: "HTTP/1.1 415 Unsupported Media Type\r\n"
        case 417: "HTTP/1.1 417 Expectation Failed\r\n"
        case 421: "HTTP/1.1 421 Misdirected Request\r\n"
        case 422: "HTTP/1.1 422 Unprocessable Content\r\n"
        case 428: "HTTP/1.1 428 Precondition Required\r\n"
        case 429: "HTTP/1.1 429 Too Many Requests\r\n"
        case 431: "HTTP/1.1 431 Request Header Fields Too Large\r\n"
        case 500: "HTTP/1.1 500 Internal Server Error\r\n"
        case 501: "HTTP/1.1 501 Not Implemented\r\n"
        case 503: "HTTP/1.1 503 Service Unavailable\r\n"
        case 504: "HTTP/1.1 504 Gateway Timeout\r\n"
        case 505: "HTTP/1.1 505 HTTP Version Not Supported\r\n"
        case 507: "HTTP/1.1 507 Insufficient Storage\r\n"
        default: nil
        }
    }
}
