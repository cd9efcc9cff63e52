// The error with which a command ends: its text on standard error, and its exit code.

import Glibc
import SessionLog
import SessionViews
import TraitJSON
import TraitService
import TraitSessions

/// Exit codes, of which most are those of sysexits.h.
enum Exit {
    static let badData: Int32 = 65
    static let noInput: Int32 = 66
    static let unavailable: Int32 = 69
    /// The system refuses what the process needs.
    static let refusedBySystem: Int32 = 71
    static let cannotCreate: Int32 = 73
    /// An output cannot be written, for example onto a full disk.
    static let output: Int32 = 74
    /// The other side speaks another protocol.
    static let otherProtocol: Int32 = 76
    static let notPermitted: Int32 = 77
    static let configuration: Int32 = 78

    /// The code for what a log, a replay, the writing or the reading of a backup fails with.
    static func code(of error: any Error) -> Int32 {
        switch error {
        case let failure as LogFailure:
            switch failure.kind {
            case .damaged, .unsupported, .replaced: badData
            case .outOfMemory: refusedBySystem
            case .unavailable, .denied, .notCovered, .snapshotMismatch, .notDeleted: cannotCreate
            }
        case let error as ReplayError:
            switch error.cause {
            case .damaged, .unsupported, .refused: badData
            case .outOfMemory: refusedBySystem
            case .unavailable: cannotCreate
            }
        case let error as SessionError where error.code == .outOfMemory: refusedBySystem
        case let error as BackupError where error.isOutOfMemory: refusedBySystem
        case let error as TokenFileError where error.isOfSystem: output
        default: badData
        }
    }
}

/// An error that ends a command. `main` writes the texts to standard error and exits with the code.
struct Fault: Error, CustomStringConvertible {
    let texts: [String]
    let code: Int32
    /// The beginning of each text on standard error.
    let label: String

    init(_ texts: [String], code: Int32 = Exit.badData, label: String = "traitd: ") {
        self.texts = texts
        self.code = code
        self.label = label
    }

    init(_ text: String, code: Int32 = Exit.badData, label: String = "traitd: ") {
        self.init([text], code: code, label: label)
    }

    /// Another error as a fault of a command; nil for those of the parser of arguments.
    init?(_ error: any Error) {
        let text: String
        switch error {
        case let fault as Fault:
            self = fault
            return
        case let failure as LogFailure: text = failure.reason
        case let error as ReplayError: text = error.description
        case let error as SessionError: text = error.detail
        case let error as TokenFileError: text = error.description
        default: return nil
        }
        self.init(text, code: Exit.code(of: error))
    }

    /// The text of the system's error number.
    static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }

    static func unwritable(_ name: String, _ number: Int32) -> Fault {
        Fault("cannot write \(name): \(reason(number))", code: Exit.output)
    }

    var description: String { texts.joined(separator: "\n") }

    func tell() {
        ProgressLine.erase()
        say(texts.map { label + $0 }.joined(separator: "\n"))
    }
}

/// Writes a line to standard output.
///
/// - Throws: that it cannot be written. A command that went on would end with 0, and its answer would be lost.
func printLine(_ text: String) throws(Fault) {
    let error = Array("\(text)\n".utf8).withUnsafeBytes {
        Descriptors.writeAll($0, to: STDOUT_FILENO)
    }
    if error != 0 { throw Fault.unwritable("standard output", error) }
}

/// Writes a line to standard error.
func say(_ text: String) {
    let line = text + "\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
}
