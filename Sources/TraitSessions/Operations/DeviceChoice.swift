// The operation `setDevice`: what the system supplies to a scene on one of Apple's devices. An entry has the operations
// that it comes to, so a replay needs no table of devices.

import JSONCodec
import TraitEngine
import TraitJSON

/// What the system supplies on a device, by how it is held, which part of its screen is meant, and the settings of the
/// person who uses it.
package struct DeviceChoice: Sendable {
    /// In the order of the traits' indices.
    let values: [(trait: TraitIndex, value: TraitValue)]

    /// - Parameter object: has `orientation`, `split` and `settings`, each of which may be absent.
    /// - Throws: `unknownDevice` with what there is; `malformedBody`, also for settings that contradict one another.
    package init(_ device: String, _ object: ObjectReader) throws(SessionError) {
        let orientation = try object.string("orientation")
        let split = try object.string("split")
        let settings = try Self.settings(object)
        do throws(DeviceError) {
            values = try DeviceModel.named(device).traits(
                orientation: orientation, split: split, settings: settings)
        } catch {
            throw Self.refusal(error, settings)
        }
    }

    private static func settings(_ object: ObjectReader) throws(SessionError) -> [String] {
        guard let json = object["settings"] else { return [] }
        guard json.kind == .array else {
            throw object.wrongType("settings", "an array of names", json)
        }
        var names: [String] = []
        for element in json.elements {
            guard let name = element.string else {
                throw SessionError.malformed(
                    "A setting is a name", element, at: "/settings/\(names.count)")
            }
            names.append(name.string)
        }
        return names
    }

    private static func refusal(_ error: DeviceError, _ settings: [String]) -> SessionError {
        switch error {
        case .unknown(let part, let name, let known):
            let pointer =
                part == .setting
                ? "/settings/\(settings.firstIndex(of: name) ?? 0)" : "/\(part.rawValue)"
            let text =
                part == .device
                ? "The table of devices has no '\(name.prefix(140))'."
                : "There is no \(part.rawValue) '\(name.prefix(140))' here. There is \(known.joined(separator: ", "))."
            return SessionError(
                .unknownDevice, text, pointer: pointer,
                didYouMean: Suggestion.nearest(to: name, among: known), hint: .listDevices)
        case .conflict(let one, let other, let trait):
            return SessionError(
                .malformedBody,
                "The settings \(one) and \(other) give \(trait) different values. Name one of them.",
                pointer: "/settings/\(settings.firstIndex(of: other) ?? 0)")
        }
    }
}
