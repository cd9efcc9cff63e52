// What event streams carry, and the two framings they come in.

/// One record of an event stream.
package struct StreamRecord: Sendable, Hashable, CustomStringConvertible {
    /// The JSON text, without framing.
    package let text: String
    package let json: JSON
    /// Server-sent events only: the fields of the frame.
    package let event: EventFrame?

    package struct EventFrame: Sendable, Hashable {
        package var id: String?
        package var event: String?
        package var retry: String?
    }

    package var type: String { json["type"]?.string ?? "?" }
    package var revision: Int64? { json["revision"]?.int }
    package var token: String { json["token"]?.string ?? "?" }
    package var reason: String? { json["reason"]?.string }

    package var description: String { text }

    init(_ text: String, event: EventFrame? = nil) throws {
        self.text = text
        json = try JSON(parsing: text)
        self.event = event
    }
}

/// Cuts a byte stream into records as they become whole.
struct RecordFramer {
    enum Framing {
        /// One JSON object and one LF a record.
        case lines
        /// `text/event-stream` of the HTML standard.
        case serverSentEvents
    }

    private let framing: Framing
    private var line: [UInt8] = []
    private var frame = StreamRecord.EventFrame()
    private var data: [String] = []

    init(_ framing: Framing) {
        self.framing = framing
    }

    /// Bytes of a record that is not whole yet.
    var hasRemainder: Bool { !line.isEmpty || !data.isEmpty }

    mutating func take(_ bytes: UnsafeRawBufferPointer) throws -> [StreamRecord] {
        var records: [StreamRecord] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
            line.removeAll(keepingCapacity: true)
            switch framing {
            case .lines: records.append(try StreamRecord(text))
            case .serverSentEvents:
                if let record = try takeEventLine(text) { records.append(record) }
            }
        }
        return records
    }

    /// A field of the running frame, or the empty line that dispatches it.
    private mutating func takeEventLine(_ text: String) throws -> StreamRecord? {
        if text.isEmpty {
            defer {
                frame = StreamRecord.EventFrame()
                data = []
            }
            return data.isEmpty
                ? nil : try StreamRecord(data.joined(separator: "\n"), event: frame)
        }
        guard let colon = text.firstIndex(of: ":") else { return nil }
        var value = text[text.index(after: colon)...]
        if value.hasPrefix(" ") { value = value.dropFirst() }
        switch text[..<colon] {
        case "": break
        case "id": frame.id = String(value)
        case "event": frame.event = String(value)
        case "retry": frame.retry = String(value)
        case "data": data.append(String(value))
        default: throw UnknownEventField(line: text)
        }
        return nil
    }

    struct UnknownEventField: Error {
        let line: String
    }
}
