// An answer as a test wants to look at it, and the collector that libcurl's header lines go into.

/// One field line, name as sent.
package struct HTTPField: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// Status line and fields of one answer.
package struct HTTPHead: Hashable, Sendable {
    package var status = 0
    package var reason = ""
    /// In the order of arrival.
    package var fields: [HTTPField] = []
    /// Status codes of the interim (1xx) answers before it.
    package var interim: [Int] = []

    /// The values of a field, name compared without regard to case, in the order of arrival.
    package func values(_ name: String) -> [String] {
        let name = name.lowercased()
        return fields.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// The only value of a field; nil when it is absent or repeated.
    package subscript(name: String) -> String? {
        let values = values(name)
        return values.count == 1 ? values[0] : nil
    }
}

/// One whole answer.
@dynamicMemberLookup
package struct HTTPResponse: Sendable {
    /// What was asked, for failure messages.
    package let request: String
    package let head: HTTPHead
    /// After content decoding, when the request asked for that.
    package let body: [UInt8]

    package subscript<Value>(dynamicMember member: KeyPath<HTTPHead, Value>) -> Value {
        head[keyPath: member]
    }

    package subscript(header name: String) -> String? { head[name] }

    package var text: String { String(decoding: body, as: UTF8.self) }

    package var json: JSON {
        get throws {
            do {
                return try JSON(parsing: body)
            } catch {
                throw UnexpectedAnswer(self, wanted: "a JSON body")
            }
        }
    }

    package var revision: Int64? { self[header: "Traitd-Revision"].flatMap { Int64($0) } }

    package var isSuccess: Bool { (200..<300).contains(head.status) }

    /// Throws unless the status is 2xx.
    @discardableResult
    package func success() throws -> HTTPResponse {
        guard isSuccess else { throw UnexpectedAnswer(self, wanted: "2xx") }
        return self
    }

    /// Throws unless the status is this one.
    @discardableResult
    package func expecting(_ status: Int) throws -> HTTPResponse {
        guard head.status == status else { throw UnexpectedAnswer(self, wanted: "\(status)") }
        return self
    }
}

package struct UnexpectedAnswer: Error, CustomStringConvertible {
    package let description: String

    package init(_ response: HTTPResponse, wanted: String) {
        description =
            "\(response.request): wanted \(wanted), got \(response.head.status) "
            + String(response.text.prefix(1_000))
    }
}

/// Turns header lines into a head; a new status line after an interim answer starts over.
struct HeadCollector {
    private(set) var head = HTTPHead()
    private(set) var isComplete = false

    mutating func take(_ line: String) {
        let line = line.trimmingSuffix { $0.isNewline }
        if line.hasPrefix("HTTP/") {
            let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            let interim = head.interim
            head = HTTPHead()
            head.interim = interim
            head.status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
            head.reason = parts.count > 2 ? String(parts[2]) : ""
            isComplete = false
        } else if line.isEmpty {
            if (100..<200).contains(head.status) {
                head.interim.append(head.status)
            } else {
                isComplete = true
            }
        } else if !isComplete, let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            head.fields.append(HTTPField(String(line[..<colon]), String(value)))
        }
    }
}

extension StringProtocol {
    func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> SubSequence {
        var end = endIndex
        while end > startIndex, isTrimmed(self[index(before: end)]) { end = index(before: end) }
        return self[..<end]
    }
}
