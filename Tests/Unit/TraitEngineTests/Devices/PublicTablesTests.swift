// The table of devices against two public tables, which Tests/Support/Fixtures/devices has with their addresses.

import Foundation
import Testing
import TraitEngine

@Suite struct PublicTablesTests {
    /// A value of a public table that ours does not have, with the reason.
    struct Difference: Hashable {
        let name: String
        let there: String
        let here: String
        let reason: String

        init(_ name: String, there: String, here: String, _ reason: String) {
            self.name = name
            self.there = there
            self.here = here
            self.reason = reason
        }

        static func == (left: Difference, right: Difference) -> Bool {
            (left.name, left.there, left.here) == (right.name, right.there, right.here)
        }

        func hash(into hasher: inout Hasher) { hasher.combine([name, there, here]) }
    }

    private static let mini = """
        the page gives the pixels of the panel by 3; UIKit's screen has 375 x 812 points, drawn at 3x and scaled down, \
        as the page said before
        """
    private static let differencesFromLayout: Set<Difference> = [
        Difference("iPhone 13 mini", there: "360x780", here: "375x812", mini),
        Difference("iPhone 12 mini", there: "360x780", here: "375x812", mini),
    ]

    private static let force =
        "no 3D Touch: the configurations of all phones but one were copied from one with it"
    private static let differencesFromSnapshotTesting: Set<Difference> = [
        Difference("iPhoneSe", there: "available", here: "unavailable", force),
        Difference("iPhone12", there: "available", here: "unavailable", force),
        Difference("iPhone12ProMax", there: "available", here: "unavailable", force),
        Difference(
            "tv4K", there: "3840x2160", here: "1920x1080",
            "pixels: there are 1920 x 1080 points at 2x"),
    ]

    private static func rows(_ file: String) throws -> [[String]] {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Support/Fixtures/devices/\(file).tsv")
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: "\t").map(String.init) }
    }

    /// The name of a case in what a scene has there; `-` without one, or without such a split.
    private static func value(
        _ key: String, _ device: DeviceModel, _ orientation: String, _ split: String
    ) -> String {
        let traits = try? device.traits(orientation: orientation, split: split)
        let pair = traits?.first { TraitDefinitions.system[$0.trait].key == key }
        return pair.flatMap { TraitDefinitions.system[$0.trait].caseName(of: $0.value) } ?? "-"
    }

    private static func classes(
        _ device: DeviceModel, _ orientation: String, _ split: String
    ) -> String {
        let both = ["horizontalSizeClass", "verticalSizeClass"].map {
            value($0, device, orientation, split)
        }
        return both == ["-", "-"] ? "-" : both.joined(separator: "/")
    }

    private static func size(_ device: DeviceModel, _ orientation: String) -> String {
        DeviceModel.Orientation(rawValue: orientation).flatMap(device.points(in:))
            .map { "\($0.width)x\($0.height)" } ?? "-"
    }

    @Test("Points, scales and size classes are those of Apple's guidelines, but for two screens")
    func layout() throws {
        var found: Set<Difference> = []
        let rows = try Self.rows("layout")
        #expect(rows.count == 59 + 48 + 15)
        for row in rows {
            let device = try DeviceModel.named(row[1])
            func compare(_ there: String, _ here: String) {
                if there != here { found.insert(Difference(row[1], there: there, here: here, "")) }
            }
            switch row[0] {
            case "points":
                compare(row[2], Self.size(device, "portrait"))
                compare(row[3], device.scale.map { "\(Int($0))" } ?? "-")
            case "classes":
                compare(row[2], Self.classes(device, "portrait", "full"))
                compare(row[3], Self.classes(device, "landscape", "full"))
            default:
                compare(row[3], Self.classes(device, "portrait", row[2]))
                compare(row[4], Self.classes(device, "landscape", row[2]))
            }
        }
        #expect(found == Self.differencesFromLayout)
    }

    @Test(
        "Sizes and traits are those of swift-snapshot-testing's configurations, but for four values"
    )
    func snapshotTesting() throws {
        var found: Set<Difference> = []
        let rows = try Self.rows("snapshot-testing")
        #expect(rows.count == 16 + 42 + 2)
        for row in rows {
            let (orientation, split) = (row[2], row[3])
            let device = try DeviceModel.named(row[1])
            func compare(_ there: String, _ here: String) {
                if there != here, there != "-" {
                    found.insert(Difference(row[0], there: there, here: here, ""))
                }
            }
            if split == "full" {
                compare(row[4], Self.size(device, orientation))
            } else {
                // A split is as high as the screen. Its width is not in the table.
                let heights = [row[4], Self.size(device, orientation)].map {
                    $0.split(separator: "x")[1]
                }
                compare(String(heights[0]), String(heights[1]))
            }
            compare(row[5], Self.classes(device, orientation, split))
            compare(row[6], Self.value("userInterfaceIdiom", device, orientation, split))
            compare(row[7], Self.value("forceTouchCapability", device, orientation, split))
        }
        #expect(found == Self.differencesFromSnapshotTesting)
    }
}
