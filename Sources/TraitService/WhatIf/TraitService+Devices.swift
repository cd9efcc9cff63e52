// The table of devices that `setDevice` reads.

import JSONCodec
import TraitEngine

extension TraitService {
    /// `GET /v1/devices`: each device with its layouts, the settings, and where the facts are from.
    func listDevices(_ request: Request) {
        request.context.body.beginObject()
        request.context.body.beginArray("devices")
        for device in DeviceModel.all { Self.write(device, into: &request.context.body) }
        request.context.body.endArray()
        request.context.body.beginArray("settings")
        for setting in DeviceSetting.all {
            request.context.body.beginObject()
            request.context.body.member("name", setting.name)
            request.context.body.member("trait", setting.trait)
            request.context.body.member("value", setting.value)
            request.context.body.endObject()
        }
        request.context.body.endArray()
        request.context.body.beginObject("sources")
        for (key, source) in DeviceModel.sources.sorted(by: { $0.key < $1.key }) {
            request.context.body.key(key)
            request.context.body.beginObject()
            request.context.body.member("title", source.title)
            request.context.body.member("url", source.url)
            request.context.body.endObject()
        }
        request.context.body.endObject()
        request.context.body.endText()
    }

    /// `{"name","aliases","userInterfaceIdiom","displayScale"?,"displayGamut"?,"forceTouchCapability"?,"points"?,"layouts",
    /// "sources"}`.
    private static func write(_ device: DeviceModel, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", device.name)
        writer.beginArray("aliases")
        for alias in device.aliases { writer.value(alias) }
        writer.endArray()
        writer.member("userInterfaceIdiom", device.idiom)
        if let scale = device.scale { writer.member("displayScale", scale) }
        writer.member("displayGamut", ifPresent: device.gamut)
        writer.member("forceTouchCapability", ifPresent: device.forceTouch)
        if let points = device.points {
            writer.beginObject("points")
            writer.member("width", points.width)
            writer.member("height", points.height)
            writer.endObject()
        }
        writer.beginArray("layouts")
        for layout in device.layouts {
            writer.beginObject()
            writer.member("orientation", layout.orientation.rawValue)
            writer.member("split", layout.split.rawValue)
            writer.member("horizontalSizeClass", ifPresent: layout.horizontalSizeClass)
            writer.member("verticalSizeClass", ifPresent: layout.verticalSizeClass)
            writer.endObject()
        }
        writer.endArray()
        writer.beginArray("sources")
        for source in device.sources { writer.value(source) }
        writer.endArray()
        writer.endObject()
    }
}
