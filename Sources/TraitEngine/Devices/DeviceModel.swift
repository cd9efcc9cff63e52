// Apple's devices as data: which traits a scene on a device has. DeviceTable.swift has the rows; .ci/devices
// writes it from devices.json, so that nothing is parsed at run time.

/// A device that people name in tests and designs, such as `iPhone 16 Pro`.
public struct DeviceModel: Hashable, Sendable {
    /// How the screen is held. A device has one of these or both.
    public enum Orientation: String, CaseIterable, Sendable {
        case portrait, landscape
    }

    /// The part of the screen that a scene has. The raw values are the names in requests.
    public enum Split: String, CaseIterable, Sendable {
        case full
        case half = "1/2"
        case third = "1/3"
        case twoThirds = "2/3"
        case slideOver
    }

    /// The size classes of a scene in one orientation and split, as names of cases; nil where they are unknown.
    public struct Layout: Hashable, Sendable {
        public let orientation: Orientation
        public let split: Split
        public let horizontalSizeClass: String?
        public let verticalSizeClass: String?

        init(
            _ orientation: Orientation, _ split: Split, _ horizontal: String?, _ vertical: String?
        ) {
            self.orientation = orientation
            self.split = split
            horizontalSizeClass = horizontal
            verticalSizeClass = vertical
        }
    }

    /// Width and height of a screen in points.
    public struct Points: Hashable, Sendable {
        public let width: Int
        public let height: Int
    }

    /// The marketing name. No other device has it as a name or an alias.
    public let name: String
    /// Further names of the device, and of devices that have the same traits.
    public let aliases: [String]
    /// The case of `userInterfaceIdiom`.
    public let idiom: String
    /// Pixels a point (UIKit's `scale`, not `nativeScale`); nil where it varies.
    public let scale: Double?
    /// The case of `displayGamut`; nil where it varies.
    public let gamut: String?
    /// The case of `forceTouchCapability`; nil where no source says it.
    public let forceTouch: String?
    /// In portrait, so never wider than high, also for a device that has landscape alone; nil where it varies.
    public let points: Points?
    /// In the order in which a request without an orientation or a split chooses: the first one is meant.
    public let layouts: [Layout]
    /// Keys of `sources`.
    public let sources: [String]

    init(
        _ name: String, _ aliases: [String], _ idiom: String, scale: Double? = nil,
        gamut: String? = nil, forceTouch: String? = nil, points: Points? = nil,
        layouts: [Layout], sources: [String]
    ) {
        self.name = name
        self.aliases = aliases
        self.idiom = idiom
        self.scale = scale
        self.gamut = gamut
        self.forceTouch = forceTouch
        self.points = points
        self.layouts = layouts
        self.sources = sources
    }

    /// The orientations that the device has, the usual one first. O(layouts).
    public var orientations: [Orientation] {
        Orientation.allCases.filter { orientation in
            layouts.contains { $0.orientation == orientation }
        }
    }

    /// The splits that the device has in an orientation; empty in an orientation that it does not have. O(layouts).
    public func splits(in orientation: Orientation) -> [Split] {
        layouts.filter { $0.orientation == orientation }.map(\.split)
    }

    /// Width and height of the screen in an orientation; nil where they vary.
    public func points(in orientation: Orientation) -> Points? {
        guard let points, orientation == .landscape else { return points }
        return Points(width: points.height, height: points.width)
    }
}

/// Where facts of the table are from.
public struct DeviceSource: Hashable, Sendable {
    public let title: String
    public let url: String
}

/// A choice of the person who uses the device, under the name that requests give it: one value of one trait.
public struct DeviceSetting: Hashable, Sendable {
    public let name: String
    /// The key of the trait.
    public let trait: String
    /// The name of the trait's case.
    public let value: String

    init(_ name: String, _ trait: String, _ value: String) {
        self.name = name
        self.trait = trait
        self.value = value
    }
}

/// Why the table has no answer.
public enum DeviceError: Error, Hashable, Sendable {
    /// What a name was taken for.
    public enum Part: String, Hashable, Sendable {
        case device, orientation, split, setting
    }

    /// There is no such device or setting, or this device has no such orientation, or this orientation no such
    /// split. `known` is what there is, in the order of the table; of devices the names without the aliases.
    case unknown(Part, name: String, known: [String])
    /// Two settings give one trait different values.
    case conflict(String, String, trait: String)
}

extension DeviceError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknown(let part, let name, let known):
            "there is no \(part.rawValue) \"\(name)\" here; there is \(known.joined(separator: ", "))"
        case .conflict(let one, let other, let trait):
            "the settings \(one) and \(other) give \(trait) different values"
        }
    }
}
