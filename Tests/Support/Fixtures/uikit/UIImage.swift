// Every member of UIImage that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

func use(_ image: UIImage) {
    //: init(named:in:compatibleWith:)
    _ = UIImage(named: "sky", in: nil, compatibleWith: UITraitCollection())
    //: configuration
    let configuration: UIImage.Configuration? = image.configuration
    _ = configuration
    //: withConfiguration(_:)
    let other: UIImage = image.withConfiguration(UIImage.Configuration(traitCollection: nil))
    _ = other
    //: imageAsset
    let asset: UIImageAsset? = image.imageAsset
    _ = asset
    //: traitCollection
    let traits: UITraitCollection = image.traitCollection
    _ = traits
    //: DynamicRange
    let range: UIImage.DynamicRange = .high
    _ = range
}

@MainActor func useMore() {
    //: init(systemName:compatibleWith:)
    _ = UIImage(systemName: "star", compatibleWith: nil)
    //: init(systemName:)
    _ = UIImage(systemName: "star")
}
