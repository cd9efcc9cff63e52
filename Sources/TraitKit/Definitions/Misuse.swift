// The one way in which TraitKit ends the program for a programmer's error. It uses `fatalError`,
// since `preconditionFailure` writes no message in release builds.

/// Ends the program where UIKit raises an exception. Writes the message to standard error.
func misuse(_ message: @autoclosure () -> String) -> Never { fatalError(message()) }

/// Ends the program unless the condition holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { misuse(message()) }
}
