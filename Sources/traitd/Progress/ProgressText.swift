// The text of the line that shows how far a long command is: done of total, rate, time left.

struct ProgressText {
    enum Unit {
        case bytes, sessions
    }

    /// The work in progress, such as "reading mail.json".
    let what: String
    let unit: Unit
    /// Nil when it is not known, as for a pipe.
    var total: Int?

    /// The line, in at most `width` columns. What does not fit is left out, the time left first.
    ///
    /// - Parameter made: nodes and commits, where they are counted. Bytes that were read, and sessions of any size, say
    ///   nothing about the time that making the rest takes.
    func line(done: Int, made: Int = 0, seconds: Double, width: Int) -> String {
        var parts = [what]
        if made == 0 || unit == .sessions { parts.append(amount(done)) }
        if made > 0 {
            parts.append("\(made) nodes and commits")
            if seconds > 0 { parts.append("\(Self.tenths(Double(made) / seconds))/s") }
            return fitting(parts, width)
        }
        if let total, total > 0 {
            parts.append("\(Int((Double(done) / Double(total) * 100).clamped(to: 0...100)))%")
        }
        if seconds > 0, done > 0 {
            let rate = Double(done) / seconds
            parts.append(speed(rate))
            if let total, total > done { parts.append(left(Double(total - done) / rate)) }
        }
        return fitting(parts, width)
    }

    private func fitting(_ parts: [String], _ width: Int) -> String {
        var parts = parts
        while parts.count > 1, Self.joined(parts).count > width { parts.removeLast() }
        let line = Self.joined(parts)
        return line.count <= width ? line : String(line.prefix(max(0, width - 1))) + "…"
    }

    private static func joined(_ parts: [String]) -> String { parts.joined(separator: "  ") }

    private func amount(_ done: Int) -> String {
        switch unit {
        case .bytes:
            let scale = Scale(of: Double(max(done, total ?? 0)))
            let amount = scale.number(Double(done))
            return total.map { "\(amount) of \(scale.number(Double($0))) \(scale.name)" }
                ?? "\(amount) \(scale.name)"
        case .sessions:
            return total.map { "\(done) of \($0) sessions" } ?? "\(done) sessions"
        }
    }

    private func speed(_ rate: Double) -> String {
        switch unit {
        case .bytes:
            let scale = Scale(of: rate)
            return "\(scale.number(rate)) \(scale.name)/s"
        case .sessions: return "\(Self.tenths(rate))/s"
        }
    }

    private func left(_ seconds: Double) -> String {
        let seconds = Int(seconds.rounded(.up).clamped(to: 1...360_000))
        if seconds < 60 { return "\(seconds) s left" }
        if seconds < 3_600 { return "\((seconds + 59) / 60) min left" }
        let minutes = (seconds + 59) / 60
        return "\(minutes / 60) h \(minutes % 60) min left"
    }

    private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

    private struct Scale {
        let name: String
        let factor: Double

        init(of bytes: Double) {
            switch bytes {
            case ..<1e3: (name, factor) = ("B", 1)
            case ..<1e6: (name, factor) = ("kB", 1e3)
            case ..<1e9: (name, factor) = ("MB", 1e6)
            default: (name, factor) = ("GB", 1e9)
            }
        }

        func number(_ bytes: Double) -> String {
            factor == 1 ? "\(Int(bytes.clamped(to: 0...1e3)))" : ProgressText.tenths(bytes / factor)
        }
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : min(max(self, range.lowerBound), range.upperBound)
    }
}
