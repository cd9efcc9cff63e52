// libcurl's easy handle with one owner. The wire is tested with a client that shares no line with
// the server and that half the world's scripts use.

import CCurl

/// libcurl, or the network below it, failed; not an answer of the server.
package struct TransportError: Error, Hashable, CustomStringConvertible {
    package let code: UInt32
    package let message: String

    init(_ code: CURLcode) {
        self.code = code.rawValue
        message = String(cString: curl_easy_strerror(code))
    }

    package var description: String { "libcurl \(code): \(message)" }

    /// The connection ended before the answer did.
    package var isCutShort: Bool {
        code == CURLE_PARTIAL_FILE.rawValue || code == CURLE_RECV_ERROR.rawValue
            || code == CURLE_GOT_NOTHING.rawValue
    }
}

/// What libcurl calls back with header lines and body bytes. Lives as long as the transfer.
class TransferSink {
    var collector = HeadCollector()
    /// When the transfer is to end, done or not.
    var deadline: Deadline?

    func headerLine(_ line: String) { collector.take(line) }
    func body(_ bytes: UnsafeRawBufferPointer) {}
}

/// One `CURL *`. Not thread-safe: its owner confines it.
final class CurlHandle {
    let raw: UnsafeMutableRawPointer
    private var fieldLines: UnsafeMutablePointer<curl_slist>?

    /// libcurl wants one global set-up before the first handle.
    private static let globalSetUp = curl_global_init(Int(CURL_GLOBAL_SSL | CURL_GLOBAL_WIN32))

    init() throws {
        guard Self.globalSetUp == CURLE_OK, let raw = curl_easy_init() else {
            throw TransportError(CURLE_FAILED_INIT)
        }
        self.raw = raw
    }

    deinit {
        curl_easy_cleanup(raw)
        curl_slist_free_all(fieldLines)
    }

    /// Forgets every option; the connection stays open for the next request.
    func reset() {
        curl_easy_reset(raw)
        curl_slist_free_all(fieldLines)
        fieldLines = nil
        // No signals (threads), no proxy from the environment, paths exactly as given.
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_NOPROXY, "*")
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_CONNECTTIMEOUT_MS, 120_000)
        // No delayed first byte for large bodies beyond what the server causes itself.
        set(CURLOPT_EXPECT_100_TIMEOUT_MS, 60_000)
    }

    func set(_ option: CURLoption, _ value: Int) {
        _ = traitd_curl_setopt_long(raw, option, value)
    }

    func set(_ option: CURLoption, _ value: String) {
        _ = traitd_curl_setopt_string(raw, option, value)
    }

    func setFields(_ fields: [HTTPField]) {
        for field in fields {
            // "Name;" is libcurl's spelling of a field with an empty value.
            let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            fieldLines = curl_slist_append(fieldLines, line)
        }
        _ = traitd_curl_setopt_pointer(raw, CURLOPT_HTTPHEADER, fieldLines)
    }

    /// `sink` must outlive the transfer.
    func setSink(_ sink: TransferSink) {
        let context = Unmanaged.passUnretained(sink).toOpaque()
        _ = traitd_curl_setopt_pointer(raw, CURLOPT_HEADERDATA, context)
        _ = traitd_curl_setopt_write(raw, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            Unmanaged<TransferSink>.fromOpaque(context!).takeUnretainedValue()
                .headerLine(String(decoding: line, as: UTF8.self))
            return size * count
        }
        // Libcurl calls this about once a second. Its own limits are of wall time.
        set(CURLOPT_NOPROGRESS, 0)
        _ = traitd_curl_setopt_pointer(raw, CURLOPT_XFERINFODATA, context)
        _ = traitd_curl_setopt_progress(raw) { context, _, _, _, _ in
            let sink = Unmanaged<TransferSink>.fromOpaque(context!).takeUnretainedValue()
            return sink.deadline?.hasPassed == true ? 1 : 0
        }
        _ = traitd_curl_setopt_pointer(raw, CURLOPT_WRITEDATA, context)
        _ = traitd_curl_setopt_write(raw, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            Unmanaged<TransferSink>.fromOpaque(context!).takeUnretainedValue()
                .body(UnsafeRawBufferPointer(start: bytes, count: size * count))
            return size * count
        }
    }

    /// `body` must stay where it is until the transfer is over.
    func setBody(_ body: UnsafeRawBufferPointer) {
        _ = traitd_curl_setopt_pointer(
            raw, CURLOPT_POSTFIELDS, UnsafeMutableRawPointer(mutating: body.baseAddress))
        set(CURLOPT_POSTFIELDSIZE, body.count)
    }

    func perform() throws {
        let code = curl_easy_perform(raw)
        guard code == CURLE_OK else { throw TransportError(code) }
    }
}
