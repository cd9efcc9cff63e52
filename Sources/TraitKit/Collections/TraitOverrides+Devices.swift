// What the system supplies on Apple's devices, for programs that play one.

internal import TraitEngine

extension TraitOverrides {
    /// How the screen of a device is held.
    public enum DeviceOrientation: String, CaseIterable, Sendable {
        /// The short side is below.
        case portrait
        /// The long side is below.
        case landscape
    }

    /// The part of a tablet's screen that a scene has.
    public enum DeviceSplit: String, CaseIterable, Sendable {
        /// The whole screen.
        case full
        /// One of two equal parts of Split View, in landscape.
        case half = "1/2"
        /// The narrow part of Split View.
        case third = "1/3"
        /// The wide part of Split View.
        case twoThirds = "2/3"
        /// A window of Slide Over.
        case slideOver
    }

    /// What the system supplies to a scene on a device: idiom, scale, gamut, force touch capability and size classes,
    /// as far as the table of devices knows them.
    ///
    ///     scene.suppliedTraits = .device("iPad Pro 11", .landscape)
    ///     scene.suppliedTraits = .device("iPad mini", .landscape, split: .third, settings: ["dark"])
    ///
    /// The assignment replaces everything that was supplied to the scene. A name that the table does not have is the
    /// programmer's error and stops the program; for names from elsewhere there is
    /// `init(device:orientation:split:settings:)`.
    ///
    /// - Parameters:
    ///   - name: the marketing name or an alias. Case, spaces, hyphens and brackets do not matter. A name of several
    ///     generations, such as `iPhone SE`, means the newest.
    ///   - orientation: nil means portrait, or landscape for a device that has it alone.
    ///   - split: the part of the screen, where the orientation has it.
    ///   - settings: `light`, `dark`, `highContrast`, `boldText`, a text size such as `accessibilityLarge`,
    ///     `rightToLeft` and `presented`: values of `userInterfaceStyle`, `accessibilityContrast`, `legibilityWeight`,
    ///     `preferredContentSizeCategory`, `layoutDirection` and `userInterfaceLevel`.
    public static func device(
        _ name: String, _ orientation: DeviceOrientation? = nil, split: DeviceSplit = .full,
        settings: [String] = []
    ) -> TraitOverrides {
        do throws(TraitError) {
            return try TraitOverrides(
                device: name, orientation: orientation, split: split, settings: settings)
        } catch {
            misuse("\(error)")
        }
    }

    /// The values of `device(_:_:split:settings:)`, but throws instead of stopping the program.
    ///
    /// - Throws: `refused` for a device, orientation, split or setting that there is not, with what there is, and for
    ///   two settings that give one trait different values.
    public init(
        device name: String, orientation: DeviceOrientation? = nil, split: DeviceSplit = .full,
        settings: [String] = []
    ) throws(TraitError) {
        do throws(DeviceError) {
            let traits = try DeviceModel.named(name).traits(
                orientation: orientation?.rawValue, split: split.rawValue, settings: settings)
            self.init(TraitValues(traits.map { ($0.trait, $0.value) }))
        } catch {
            throw .refused("\(error)")
        }
    }
}
