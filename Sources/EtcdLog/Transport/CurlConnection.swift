// The connections to members of etcd. CCurlClient makes the transfers; this file gives them Swift's types.

import CCurlClient

/// A POST request to a member, or a GET request when there is no body.
package struct EtcdTransfer: Sendable {
    package let url: String
    package let headers: [String]
    package let body: [UInt8]?
    /// Nil for a request that goes on until it is cancelled.
    package let timeout: Duration?
}

/// What carries requests to etcd: libcurl, or a simulation's network.
package protocol EtcdNetwork: Sendable {
    func connect() throws(EtcdFailure) -> any EtcdConnection
}

/// Carries one request at a time.
package protocol EtcdConnection: AnyObject, Sendable {
    /// Ends the request that is under way, and every later one. By any thread.
    func cancel()

    /// Sends a request and returns the status of its answer. Blocks until the answer is complete.
    ///
    /// - Parameter take: takes the next bytes of the answer, and returns false to end the request.
    func post(
        _ request: EtcdTransfer, take: @escaping (UnsafeRawBufferPointer) -> Bool
    ) throws(EtcdFailure) -> Int
}

extension EtcdLogOptions {
    func connect() throws(EtcdFailure) -> any EtcdConnection {
        if let network { return try network.connect() }
        return try CurlConnection(self)
    }
}

/// Confinement: one thread at a time has a connection for a request. `cancel` is atomic.
final class CurlConnection: EtcdConnection, @unchecked Sendable {
    private let options: EtcdLogOptions
    private let handle: OpaquePointer
    /// What the handle is prepared for: the last request that succeeded.
    private var prepared: (url: String, headers: [String], isPost: Bool)?

    /// - Throws: `notSent` when libcurl is missing or the system refuses a connection.
    init(_ options: EtcdLogOptions) throws(EtcdFailure) {
        if let reason = traitd_curl_load() { throw EtcdFailure(.notSent, String(cString: reason)) }
        guard let handle = traitd_curl_make() else {
            throw EtcdFailure(.notSent, "the system refuses another connection")
        }
        self.handle = handle
        self.options = options
    }

    deinit { traitd_curl_free(handle) }

    func cancel() { traitd_curl_cancel(handle) }

    /// Where the bytes of an answer go, behind a pointer that C passes on.
    private struct Sink {
        let take: (UnsafeRawBufferPointer) -> Bool
    }

    func post(
        _ request: EtcdTransfer, take: @escaping (UnsafeRawBufferPointer) -> Bool
    ) throws(EtcdFailure) -> Int {
        var result = traitd_curl_result()
        var sink = Sink(take: take)
        withUnsafeMutablePointer(to: &sink) { sink in
            var wire = traitd_curl_request()
            wire.timeout_ms = request.timeout.map { max(1, Int($0 / .milliseconds(1))) } ?? 0
            wire.context = UnsafeMutableRawPointer(sink)
            wire.sink = { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let sink = context.assumingMemoryBound(to: Sink.self)
                let isTaken = sink.pointee.take(
                    UnsafeRawBufferPointer(start: bytes, count: size * count))
                return isTaken ? size * count : 0
            }
            let isLikeLast =
                prepared.map { $0 == (request.url, request.headers, request.body != nil) } ?? false
            wire.is_like_last = isLikeLast ? 1 : 0
            let strings = CStrings(
                isLikeLast
                    ? []
                    : [request.url, options.caFile, options.certificateFile, options.keyFile]
                        + request.headers)
            if !isLikeLast {
                wire.url = strings[0]
                wire.ca_file = strings[1]
                wire.certificate_file = strings[2]
                wire.key_file = strings[3]
            }
            strings.from(isLikeLast ? 0 : 4) { headers in
                wire.headers = headers
                guard let body = request.body else {
                    return traitd_curl_post(handle, &wire, &result)
                }
                body.withUnsafeBytes { body in
                    wire.body = body.baseAddress
                    wire.body_bytes = body.count
                    traitd_curl_post(handle, &wire, &result)
                }
            }
        }
        prepared =
            result.code == 0 ? (request.url, request.headers, request.body != nil) : nil
        if result.is_cancelled != 0 { throw EtcdFailure(.closed, "the request was cancelled") }
        guard result.code == 0 else {
            let reason = withUnsafeBytes(of: &result.reason) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            throw EtcdFailure(
                result.was_not_sent != 0 ? .notSent : .unanswered, "\(request.url): \(reason)")
        }
        return result.status
    }
}

/// Copies of strings that C reads, for as long as this object lives.
private final class CStrings {
    private var pointers: [UnsafePointer<CChar>?]
    private let owned: [UnsafeMutablePointer<CChar>]

    init(_ strings: [String?]) {
        var owned: [UnsafeMutablePointer<CChar>] = []
        pointers = strings.map { string in
            guard let string else { return nil }
            let bytes = string.utf8CString
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
            for (at, byte) in bytes.enumerated() { (copy + at).initialize(to: byte) }
            owned.append(copy)
            return UnsafePointer(copy)
        }
        self.owned = owned
        pointers.append(nil)
    }

    deinit { for pointer in owned { pointer.deallocate() } }

    subscript(index: Int) -> UnsafePointer<CChar>? { pointers[index] }

    /// Lends the strings from an index on as a list that ends with NULL.
    func from(_ index: Int, _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Void) {
        pointers.withUnsafeBufferPointer { all in
            withExtendedLifetime(self) { body(all.baseAddress.map { $0 + index }) }
        }
    }
}
