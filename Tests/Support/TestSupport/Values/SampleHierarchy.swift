// The hierarchy that the talk "Unleash the UIKit trait system" draws: a controller that contains
// another, whose view sits inside a plain view, with a list and its cells far below the scene.

/// Sample definitions and trees.
package enum SampleHierarchy {
    /// `MyAppTheme` and its trait, as the talk writes them.
    package static let theme: JSON = [
        "type": "enum", "cases": ["standard": 0, "pastel": 1, "bold": 2, "monochrome": 3],
        "default": "standard", "name": "Theme", "identifier": "com.myapp.theme",
        "affectsColorAppearance": true,
    ]

    /// `ContainedInSettingsTrait`, as the documentation writes it.
    package static let contained: JSON = ["type": "bool", "default": false]

    /// Traits flow down one line:
    /// `scene → window → parent → parentView → middle → child → childView → list → cell0…`.
    package static func operations(cells: Int = 1) -> [JSON] {
        [
            .defineTrait("theme", theme),
            .defineTrait("containedInSettings", contained),
            .createNode("scene", "windowScene"),
            .createNode("window", "window", in: "scene"),
            .createNode("parent", "viewController", in: "window"),
            .createNode("child", "viewController", in: "parent"),
            .createNode("parentView", "view", in: "window", ["controller": "parent"]),
            .createNode("middle", "view", in: "parentView"),
            .createNode("childView", "view", in: "middle", ["controller": "child"]),
            .createNode("list", "view", in: "childView"),
        ] + (0..<cells).map { .createNode("cell\($0)", "view", in: "list") }
    }

    /// All nodes but the cells, from the scene down.
    package static let line = [
        "scene", "window", "parent", "parentView", "middle", "child", "childView", "list",
    ]
}

extension SessionClient {
    /// A session that holds the sample hierarchy.
    package static func sample(_ label: String, cells: Int = 1, on baseURL: String) throws
        -> SessionClient
    {
        let session = try make(label, on: baseURL)
        try session.transaction(SampleHierarchy.operations(cells: cells))
        return session
    }
}
