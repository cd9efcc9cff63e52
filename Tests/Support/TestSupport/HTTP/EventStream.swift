// A client of one event stream: libcurl on a thread of its own, records handed over in order.

import CCurl
import Foundation

/// An open event stream. Close it, or let it go: both end the connection.
package final class EventStream: Sendable {
    /// How the stream ended for the client.
    package enum Ending: Sendable, Hashable {
        /// The server ended the answer properly.
        case complete
        /// The connection broke, or what came was no record.
        case broken(String)
        /// The test closed it.
        case closed
    }

    package let head: HTTPHead
    private let transfer: StreamTransfer
    private let timeLimit: Duration

    /// Connects and waits for the head of the answer; throws unless it is 200.
    package init(
        _ url: String, method: String = "GET", fields: [HTTPField] = [], body: [UInt8]? = nil,
        timeLimit: Duration = .seconds(20)
    ) throws {
        self.timeLimit = timeLimit
        transfer = try StreamTransfer(url, method: method, fields: fields, body: body)
        transfer.start()
        let head = try transfer.awaitHead(before: Deadline(within: timeLimit))
        guard head.status == 200 else {
            let body = try transfer.awaitErrorBody(before: Deadline(within: timeLimit))
            throw Refused(
                response: HTTPResponse(request: "\(method) \(url)", head: head, body: body))
        }
        self.head = head
    }

    deinit { transfer.close() }

    /// The server answered with something other than a stream.
    package struct Refused: Error, CustomStringConvertible {
        package let response: HTTPResponse
        package var description: String { UnexpectedAnswer(response, wanted: "200").description }
    }

    /// The stream ended where another record was expected.
    package struct Ended: Error {
        package let ending: Ending
    }

    package func next() throws -> StreamRecord {
        let deadline = Deadline(within: timeLimit)
        switch try transfer.records.take(before: deadline, "a record of the stream") {
        case .element(let record): return record
        case .closed(let ending): throw Ended(ending: ending)
        }
    }

    package func next(_ count: Int) throws -> [StreamRecord] {
        try (0..<count).map { _ in try next() }
    }

    /// The records up to and including the first that `isLast` accepts.
    package func collect(through isLast: (StreamRecord) throws -> Bool) throws -> [StreamRecord] {
        var records: [StreamRecord] = []
        repeat { records.append(try next()) } while try !isLast(records[records.count - 1])
        return records
    }

    /// All that is still to come, and how the stream ended.
    package func rest() throws -> (records: [StreamRecord], ending: Ending) {
        var records: [StreamRecord] = []
        while true {
            do {
                records.append(try next())
            } catch let ended as Ended {
                return (records, ended.ending)
            }
        }
    }

    package func close() { transfer.close() }
}

/// The thread that drives one streaming transfer.
private final class StreamTransfer: @unchecked Sendable {
    // Confinement: `handle`, `sink` and `body` belong to the thread once it runs. `multi` is used
    // elsewhere only for curl_multi_wakeup, under `lock` and while `isRunning`.
    private let handle: CurlHandle
    private let multi: OpaquePointer
    private let sink: StreamSink
    private let body: UnsafeMutableRawBufferPointer
    private let lock = NSLock()
    private var isRunning = true
    private var isClosed = false

    var records: Mailbox<StreamRecord, EventStream.Ending> { sink.records }

    init(_ url: String, method: String, fields: [HTTPField], body: [UInt8]?) throws {
        guard let multi = curl_multi_init() else { throw TransportError(CURLE_FAILED_INIT) }
        self.multi = OpaquePointer(multi)
        handle = try CurlHandle()
        let wantsEvents = fields.contains {
            $0.name.lowercased() == "accept" && $0.value.contains("text/event-stream")
        }
        sink = StreamSink(wantsEvents ? .serverSentEvents : .lines)
        self.body = .allocate(byteCount: (body?.count ?? 0) + 1, alignment: 1)
        handle.reset()
        handle.set(CURLOPT_URL, url)
        handle.set(CURLOPT_CUSTOMREQUEST, method)
        handle.setFields(fields)
        handle.setSink(sink)
        if url.contains("compress=gzip") { handle.set(CURLOPT_ACCEPT_ENCODING, "gzip") }
        if let body {
            self.body.copyBytes(from: body)
            handle.setBody(UnsafeRawBufferPointer(rebasing: self.body[..<body.count]))
        }
    }

    deinit { body.deallocate() }

    func start() {
        let thread = Thread { [self] in run() }
        thread.stackSize = 1 << 19
        thread.start()
    }

    func close() {
        lock.withLock {
            isClosed = true
            if isRunning { curl_multi_wakeup(UnsafeMutableRawPointer(multi)) }
        }
    }

    func awaitHead(before deadline: Deadline) throws -> HTTPHead {
        switch try sink.heads.take(before: deadline, "the head of the stream") {
        case .element(let head): return head
        case .closed(let ending): throw EventStream.Ended(ending: ending)
        }
    }

    func awaitErrorBody(before deadline: Deadline) throws -> [UInt8] {
        try sink.errorBody.ending(before: deadline, "the body of the refusal")
    }

    private func run() {
        let multi = UnsafeMutableRawPointer(self.multi)
        curl_multi_add_handle(multi, handle.raw)
        var running: Int32 = 1
        while running > 0, !lock.withLock({ isClosed }) {
            guard curl_multi_perform(multi, &running) == CURLM_OK else { break }
            if running > 0 { curl_multi_poll(multi, nil, 0, 60_000, nil) }
        }
        let ending = outcome(stillRunning: running > 0)
        lock.withLock { isRunning = false }
        curl_multi_remove_handle(multi, handle.raw)
        curl_multi_cleanup(multi)
        sink.finish(ending)
    }

    private func outcome(stillRunning: Bool) -> EventStream.Ending {
        guard !stillRunning else { return .closed }
        var left: Int32 = 0
        guard let message = curl_multi_info_read(UnsafeMutableRawPointer(multi), &left) else {
            return .broken("libcurl says nothing")
        }
        let code = message.pointee.data.result
        return code == CURLE_OK ? .complete : .broken(TransportError(code).description)
    }
}

/// Confined to the transfer's thread, but for the mailboxes.
private final class StreamSink: TransferSink {
    let heads = Mailbox<HTTPHead, EventStream.Ending>()
    let records = Mailbox<StreamRecord, EventStream.Ending>()
    let errorBody = Mailbox<Never, [UInt8]>()
    private var framer: RecordFramer
    private var refusal: [UInt8] = []
    private var hasHead = false

    init(_ framing: RecordFramer.Framing) {
        framer = RecordFramer(framing)
    }

    override func headerLine(_ line: String) {
        super.headerLine(line)
        guard collector.isComplete, !hasHead else { return }
        hasHead = true
        heads.put(collector.head)
    }

    override func body(_ bytes: UnsafeRawBufferPointer) {
        guard collector.head.status == 200 else {
            refusal.append(contentsOf: bytes)
            return
        }
        do {
            for record in try framer.take(bytes) { records.put(record) }
        } catch {
            records.close(.broken("no record: \(error)"))
        }
    }

    func finish(_ ending: EventStream.Ending) {
        let isTorn = ending == .complete && framer.hasRemainder
        let ending = isTorn ? .broken("the last record is not whole") : ending
        heads.close(ending)
        records.close(ending)
        errorBody.close(refusal)
    }
}
