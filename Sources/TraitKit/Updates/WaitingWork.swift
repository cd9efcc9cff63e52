// The methods that an object can wait for.

/// The methods of an object that wait to run in the next pass.
struct WaitingWork: OptionSet {
    let rawValue: UInt16

    /// The view's controller is about to appear.
    static let appearing = WaitingWork(rawValue: 1)
    static let configuration = WaitingWork(rawValue: 2)
    static let contentUnavailable = WaitingWork(rawValue: 4)
    static let properties = WaitingWork(rawValue: 8)
    static let constraints = WaitingWork(rawValue: 16)
    static let layout = WaitingWork(rawValue: 32)
    static let display = WaitingWork(rawValue: 64)
    /// `viewDidAppear` of the view's controller has not run yet.
    static let appeared = WaitingWork(rawValue: 128)
    /// The values of appearance proxies have not been set on the view yet.
    static let proxies = WaitingWork(rawValue: 256)

    static let appearance: WaitingWork = [.appearing, .appeared]

    /// The work at the end of an update, when no other work is left.
    static let late: WaitingWork = [.display, .appeared]
}
