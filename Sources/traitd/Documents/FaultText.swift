// A fault of a document as a line for people: where in the file it is, what is wrong, in which node, and what was
// probably meant. Editors follow the form FILE:LINE:COLUMN.

import JSONCodec
import SessionViews
import TraitService
import TraitSessions

struct FaultText {
    let detail: String
    let code: String
    let pointer: String?
    var didYouMean: String?
    var line: Int64?
    var column: Int64?
    /// The identifier of the node or registration.
    var id: String?

    init(_ problem: Problem) {
        detail = problem.detail
        code = problem.code.rawValue
        pointer = problem.pointer
        didYouMean = problem.didYouMean
        for (name, value) in problem.members {
            switch ("\(name)", value) {
            case ("line", .integer(let number)): line = number
            case ("column", .integer(let number)): column = number
            case ("id", .string(let text)): id = text
            default: break
            }
        }
    }

    /// A problem document of a server, or an element of its `errors`; nil for anything else.
    init?(_ json: JSONValue) {
        guard let detail = json.member("detail")?.string else { return nil }
        self.detail = detail.string
        code = json.member("code")?.string?.string ?? ""
        pointer = json.member("pointer")?.string?.string
        didYouMean = json.member("didYouMean")?.string?.string
        line = json.member("line")?.int64
        column = json.member("column")?.int64
        id = json.member("id")?.string?.string
    }

    /// - Parameter file: the document; empty for a fault of no document.
    func line(of file: String) -> String {
        var place = file
        if let line, let column { place += ":\(line):\(column)" }
        var text = place.isEmpty ? detail : "\(place): \(detail)"
        if let didYouMean { text += " Did you mean '\(didYouMean)'?" }
        var facts: [String] = []
        if let pointer, !pointer.isEmpty { facts.append("at \(pointer)") }
        if let id { facts.append("in '\(id)'") }
        if !code.isEmpty { facts.append(code) }
        return facts.isEmpty ? text : text + " [\(facts.joined(separator: ", "))]"
    }
}
