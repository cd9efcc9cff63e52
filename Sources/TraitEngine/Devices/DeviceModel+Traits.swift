// From a name to a device, and from a device to the values of system traits.

extension DeviceModel {
    /// The device with that name or alias.
    ///
    /// Case, spaces, hyphens, underscores, dots, commas, quotes and brackets do not matter, so that `iPad Pro (11-inch)`,
    /// `ipad-pro-11-inch` and `iPad Pro 11"` name one device. A name that several generations share, such as
    /// `iPhone SE`, means the newest of the table. O(length of the name).
    ///
    /// - Throws: `unknown`.
    public static func named(_ name: String) throws(DeviceError) -> DeviceModel {
        guard let position = positions[folded(name)] else {
            throw .unknown(.device, name: name, known: all.map(\.name))
        }
        return all[position]
    }

    /// The values that the system supplies to a scene on this device, in the order of the traits' indices.
    ///
    /// They are the idiom, scale, gamut, force touch capability and size classes, as far as the table knows them, and
    /// one for each setting. What the device and the settings do not say is not in the list, so it can be left alone.
    ///
    /// - Parameters:
    ///   - orientation: the raw value of an `Orientation`. Nil means the first of `orientations`.
    ///   - split: the raw value of a `Split`. Nil means the whole screen.
    ///   - settings: names of `DeviceSetting.all`, in any order. A setting that is named twice counts once.
    /// - Throws: `unknown` for the first name that is not known, of orientation, split and settings in this order;
    ///   `conflict`.
    /// - Complexity: O(settings) and a few steps for each case of the traits.
    public func traits(
        orientation: String? = nil, split: String? = nil, settings: [String] = []
    ) throws(DeviceError) -> [(trait: TraitIndex, value: TraitValue)] {
        let layout = try layout(orientation, split)
        let cases: [(String, String?)] = [
            ("userInterfaceIdiom", idiom), ("displayGamut", gamut),
            ("forceTouchCapability", forceTouch),
            ("horizontalSizeClass", layout.horizontalSizeClass),
            ("verticalSizeClass", layout.verticalSizeClass),
        ]
        var values = cases.compactMap { trait, name in
            name.flatMap { Self.value(of: trait, case: $0) }
        }
        if let scale, let trait = TraitDefinitions.system.index(of: "displayScale") {
            values.append((trait, .double(scale)))
        }
        for setting in try Self.settings(named: settings) {
            if let value = Self.value(of: setting.trait, case: setting.value) {
                values.append(value)
            }
        }
        return values.sorted { $0.trait < $1.trait }
    }

    private func layout(
        _ orientation: String?, _ split: String?
    ) throws(DeviceError) -> Layout {
        let known = orientations
        let chosen = known.first { orientation == nil || $0.rawValue == orientation }
        guard let chosen else {
            throw .unknown(.orientation, name: orientation ?? "", known: known.map(\.rawValue))
        }
        let split = split ?? Split.full.rawValue
        let layout = layouts.first { $0.orientation == chosen && $0.split.rawValue == split }
        guard let layout else {
            throw .unknown(.split, name: split, known: splits(in: chosen).map(\.rawValue))
        }
        return layout
    }

    private static func settings(
        named names: [String]
    ) throws(DeviceError) -> [DeviceSetting] {
        var settings: [DeviceSetting] = []
        for name in names {
            guard let setting = DeviceSetting.all.first(where: { $0.name == name }) else {
                throw .unknown(.setting, name: name, known: DeviceSetting.all.map(\.name))
            }
            if let other = settings.first(where: { $0.trait == setting.trait }) {
                if other == setting { continue }
                throw .conflict(other.name, name, trait: setting.trait)
            }
            settings.append(setting)
        }
        return settings
    }

    /// Nil for a case that the trait does not have: `.ci/devices` finds those.
    private static func value(
        of key: String, case name: String
    ) -> (trait: TraitIndex, value: TraitValue)? {
        guard let trait = TraitDefinitions.system.index(of: key) else { return nil }
        switch TraitDefinitions.system[trait].type {
        case .enumeration(let cases):
            return cases.first { $0.name == name }.map { (trait, .int($0.raw)) }
        case .stringEnumeration(let cases):
            return cases.first { $0.name == name }.map { (trait, .string($0.raw)) }
        default: return nil
        }
    }

    // MARK: - Names

    /// The position in `all` by folded name or alias.
    private static let positions: [[UInt8]: Int] = {
        var positions: [[UInt8]: Int] = [:]
        for (position, device) in all.enumerated() {
            for name in [device.name] + device.aliases { positions[folded(name)] = position }
        }
        return positions
    }()

    /// A name without what does not matter in it. `.ci/devices` folds in the same way.
    private static func folded(_ name: String) -> [UInt8] {
        let ignored = " -_.,\"'()".utf8
        return name.utf8.filter { !ignored.contains($0) }.map { byte in
            UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
        }
    }
}
