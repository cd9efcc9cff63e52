// The forms of entries that a process understands in a log that several processes share. During an upgrade two
// versions of the program share one log.

/// The newest formats that a process reads.
package struct LogVersions: Equatable, Sendable {
    /// Of entries and documents.
    package var format: Int64
    /// Of the rules that decide what a commit contains.
    package var semantics: Int64

    package init(format: Int64, semantics: Int64) {
        self.format = format
        self.semantics = semantics
    }

    /// Whether a process that reads these versions reads others, too.
    package func includes(_ others: LogVersions) -> Bool {
        format >= others.format && semantics >= others.semantics
    }

    /// The newest that both processes read.
    package func common(with others: LogVersions) -> LogVersions {
        LogVersions(
            format: min(format, others.format), semantics: min(semantics, others.semantics))
    }
}
