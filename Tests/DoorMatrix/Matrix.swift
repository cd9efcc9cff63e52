// Goes through the matrix, or through a part of it that follows from a seed, and says which cells are
// not as the rules have them.

import SeededRandom
import TraitService

package struct MatrixReport: CustomStringConvertible {
    package var asked = 0
    package var passed = 0
    package var changes = 0
    package var findings: [String] = []

    /// A matrix in which nothing passes or changes would say nothing.
    package var isGood: Bool { findings.isEmpty && passed > 0 && changes > 0 }

    package var description: String {
        "\(asked) of \(Matrix.cells) cells asked, \(passed) let in, \(changes) changed something, "
            + "\(findings.count) findings"
    }
}

package enum Matrix {
    package static var cells: Int { Cell.count }

    /// - Parameters:
    ///   - count: how many cells, chosen by the seed; all of them in their order when nil.
    ///   - findingsMax: ends after so many.
    package static func run(
        _ count: Int?, seed: UInt64, findingsMax: Int = 20
    ) throws -> MatrixReport {
        let stage = try Stage()
        var random = SeededRandom(seed: seed)
        var report = MatrixReport()
        for position in 0..<(count ?? Cell.count) {
            let cell = count == nil ? Cell(position) : Cell.random(using: &random)
            try examine(cell, on: stage, &report)
            if report.findings.count >= findingsMax { break }
        }
        return report
    }

    private static func examine(
        _ cell: Cell, on stage: Stage, _ report: inout MatrixReport
    ) throws {
        let before = stage.state
        let answer = try stage.ask(cell)
        let after = stage.state
        report.asked += 1
        func find(_ what: String) {
            report.findings.append(
                "\(cell.about): \(what); \(answer.status) \(answer.body.prefix(300))")
        }
        check(cell, answer, find)
        if cell.verdict == .passes { report.passed += 1 }
        if before != after {
            report.changes += 1
            if !cell.mayChange { find("changed the state") }
            try stage.restore(.visible)
            try stage.restore(.hidden)
            try stage.tidy()
        }
        if cell.verdict == .hidden, cell.session != .absent {
            try compareWithAbsent(cell, answer, on: stage, find)
        }
    }

    private static func check(_ cell: Cell, _ answer: Answer, _ find: (String) -> Void) {
        switch cell.verdict {
        case .refused(let status):
            if answer.status != status { find("is not refused with \(status)") }
        case .hidden:
            if answer.status != 404 { find("is not hidden") }
        case .passes:
            if [401, 403, 421].contains(answer.status) { find("is refused") }
        }
        let about = cell.target + cell.body
        if !cell.bearer.sees(.hidden) {
            for word in Stage.secrets + [Cell.Session.hidden.rawValue] where !about.contains(word) {
                let fields = answer.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
                if answer.body.contains(word) || fields.contains(word) { find("tells '\(word)'") }
            }
        }
        if cell.namesSession, !cell.maySee {
            for name in ["traitd-revision", "etag"] where answer.field(name) != nil {
                find("has the field \(name)")
            }
        }
        let shared = answer.field("access-control-allow-origin")
        if shared != (cell.origin == .allowed ? Stage.allowedOrigin : nil) {
            find("shares with \(shared ?? "no origin")")
        }
    }

    /// What a caller may not see is answered as what is not there.
    private static func compareWithAbsent(
        _ cell: Cell, _ answer: Answer, on stage: Stage, _ find: (String) -> Void
    ) throws {
        var twin = cell
        twin.session = .absent
        let other = try stage.ask(twin)
        func plain(_ answer: Answer, _ name: String) -> String {
            var text = answer.body
            text = text.split(separator: name, omittingEmptySubsequences: false)
                .joined(separator: "NAME")
            if let start = text.firstRange(of: "\"instance\":\""),
                let end = text[start.upperBound...].firstIndex(of: "\"")
            {
                text.removeSubrange(start.upperBound..<end)
            }
            return "\(answer.status) \(text) "
                + answer.fields.map(\.name).filter { $0 != "content-length" }.joined(separator: ",")
        }
        if plain(answer, cell.session.rawValue) != plain(other, twin.session.rawValue) {
            find("is not as if it were absent: \(other.status) \(other.body.prefix(300))")
        }
    }
}
