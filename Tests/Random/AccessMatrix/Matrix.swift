// Goes through the matrix, or through a part of it that follows from a seed, and says which cells are
// not as the rules have them.

import PlainClient
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
        "\(asked) cells asked, \(passed) let in, \(changes) changed something, "
            + "\(findings.count) findings"
    }
}

package enum Matrix {
    /// - Parameters:
    ///   - count: how many cells, chosen by the seed; all of them in their order when nil.
    ///   - findingsMax: ends after so many.
    package static func run(
        _ count: Int?, seed: UInt64, findingsMax: Int = 20
    ) throws -> MatrixReport {
        let stage = try Stage()
        let crowded = try Stage(hidden: 70)
        var report = MatrixReport()
        var times = TwinTimes()
        func examine(_ cell: Cell) throws -> Bool {
            try self.examine(cell, on: cell.session == .misspelt ? crowded : stage, &report, &times)
            return report.findings.count < findingsMax
        }
        if let count {
            var random = SeededRandom(seed: seed)
            for _ in 0..<count {
                guard try examine(Cell.random(using: &random)) else { break }
            }
        } else {
            for cell in Cell.all { guard try examine(cell) else { break } }
        }
        report.findings += times.findings
        return report
    }

    private static func examine(
        _ cell: Cell, on stage: Stage, _ report: inout MatrixReport, _ times: inout TwinTimes
    ) throws {
        let before = stage.state
        let asked = ContinuousClock.now
        let answer = try stage.ask(cell)
        let time = ContinuousClock.now - asked
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
        if cell.verdict == .hidden, [.hidden, .near].contains(cell.session) {
            let asked = ContinuousClock.now
            try compareWithAbsent(cell, answer, on: stage, find)
            times.add(time, absent: ContinuousClock.now - asked)
        }
    }

    private static func check(_ cell: Cell, _ answer: PlainAnswer, _ find: (String) -> Void) {
        switch cell.verdict {
        case .refused(let status):
            if answer.status != status { find("is not refused with \(status)") }
        case .hidden:
            if answer.status != 404 { find("is not hidden") }
        case .passes:
            if [401, 403, 421].contains(answer.status) { find("is refused") }
            if let status = cell.refusalOfTheWire,
                cell.operation != nil || cell.wire == .expectation,
                answer.status != status
            {
                find("is not refused with \(status)")
            }
        }
        checkSuggestion(cell, answer, find)
        let about = cell.target + cell.body
        if !cell.bearer.sees(.hidden) {
            for word in Stage.secrets + [Cell.Session.hidden.rawValue] where !about.contains(word) {
                let fields = answer.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
                if answer.body.contains(word) || fields.contains(word) { find("tells '\(word)'") }
            }
        }
        if cell.namesSession, !cell.maySee || cell.isRefusedForItsPage {
            for name in ["traitd-revision", "etag"] where answer.field(name) != nil {
                find("has the field \(name)")
            }
        }
        let shared = answer.field("access-control-allow-origin")
        if shared != (cell.origin == .allowed ? Stage.allowedOrigin : nil) {
            find("shares with \(shared ?? "no origin")")
        }
    }

    /// Hidden sessions have no part in a suggestion, however near their names are.
    private static func checkSuggestion(
        _ cell: Cell, _ answer: PlainAnswer, _ find: (String) -> Void
    ) {
        guard cell.namesSession, answer.status == 404, cell.method != .head else { return }
        let suggests = answer.body.contains(#""didYouMean":"\#(Cell.Session.visible.rawValue)""#)
        let maySuggest = cell.session == .misspelt && cell.verdict == .hidden
        if maySuggest, [.reader, .writer].contains(cell.bearer), !suggests {
            find("suggests no visible session")
        }
        if suggests, !cell.bearer.sees(.visible) { find("suggests a session") }
    }

    /// What a caller may not see is answered as what is not there.
    private static func compareWithAbsent(
        _ cell: Cell, _ answer: PlainAnswer, on stage: Stage, _ find: (String) -> Void
    ) throws {
        var twin = cell
        twin.session = .absent
        let other = try stage.ask(twin)
        func plain(_ answer: PlainAnswer, _ name: String) -> String {
            var text = answer.body
            text = text.split(separator: name, omittingEmptySubsequences: false)
                .joined(separator: "NAME")
            if let start = text.firstRange(of: "\"instance\":\""),
                let end = text[start.upperBound...].firstIndex(of: "\"")
            {
                text.removeSubrange(start.upperBound..<end)
            }
            let fields = answer.fields.filter { !isOwn($0.name) }.map { "\($0.name): \($0.value)" }
            return "\(answer.status) \(text) " + fields.joined(separator: ", ")
        }
        /// Whether the field differs from request to request.
        func isOwn(_ field: String) -> Bool {
            field == "date" || field == "traitd-request-id"
                || field == "content-length" && cell.session == .near
        }
        if plain(answer, cell.session.rawValue) != plain(other, twin.session.rawValue) {
            find("is not as if it were absent: \(other.status) \(other.body.prefix(300))")
        }
    }
}

/// How long answers take whose session is hidden or absent.
private struct TwinTimes {
    private static let countMin = 1_000
    private static let ratioMax = 1.5

    private var hidden: [Duration] = []
    private var absent: [Duration] = []

    mutating func add(_ time: Duration, absent other: Duration) {
        hidden.append(time)
        absent.append(other)
    }

    /// The medians: a single answer may wait for the machine.
    var findings: [String] {
        guard hidden.count >= Self.countMin else { return [] }
        let (one, other) = (hidden.sorted()[hidden.count / 2], absent.sorted()[absent.count / 2])
        let ratio = one / other
        if ratio < Self.ratioMax, ratio > 1 / Self.ratioMax { return [] }
        return ["Hidden sessions take \(one), absent ones \(other)."]
    }
}
