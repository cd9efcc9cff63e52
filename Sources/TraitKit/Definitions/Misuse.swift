// A programmer's error ends the program with a message, in release builds as well: there
// `preconditionFailure` ends it without one.

/// Ends the program, as UIKit raises an exception. The message is written to standard error.
func misuse(_ message: @autoclosure () -> String) -> Never { fatalError(message()) }

/// Ends the program unless the condition holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { misuse(message()) }
}
