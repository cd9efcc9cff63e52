// Every member of UIImageAsset that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

func use(_ image: UIImage) {
    //: init()
    let asset = UIImageAsset()
    //: register(_:with:) UITraitCollection
    asset.register(image, with: UITraitCollection(displayScale: 2))
    //: register(_:with:) UIImage.Configuration
    asset.register(image, with: UIImage.Configuration(traitCollection: nil))
    //: unregister(imageWith:)
    asset.unregister(imageWith: UITraitCollection(displayScale: 2))
    //: unregisterImage(with:)
    asset.unregisterImage(with: UIImage.Configuration(traitCollection: nil))
    //: image(with:) UITraitCollection
    _ = asset.image(with: UITraitCollection())
    //: image(with:) UIImage.Configuration
    _ = asset.image(with: UIImage.Configuration(traitCollection: nil))
}
