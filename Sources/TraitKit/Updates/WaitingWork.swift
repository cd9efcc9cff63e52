// What an object can wait for.

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
    /// The view's controller has yet to hear that it appeared.
    static let appeared = WaitingWork(rawValue: 128)

    /// What appearance proxies say of the view has yet to be set.
    static let proxies = WaitingWork(rawValue: 256)

    static let appearance: WaitingWork = [.appearing, .appeared]

    /// What comes at the end of a pass, when everything else has come to rest.
    static let late: WaitingWork = [.display, .appeared]
}
