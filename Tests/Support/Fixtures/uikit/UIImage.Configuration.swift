// Every member of UIImage.Configuration that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

func use(_ configuration: UIImage.Configuration) {
    //: traitCollection
    let traits: UITraitCollection? = configuration.traitCollection
    _ = traits
    //: locale
    let locale: Locale? = configuration.locale
    _ = locale
    //: init(traitCollection:)
    _ = UIImage.Configuration(traitCollection: UITraitCollection())
    //: init(locale:)
    _ = UIImage.Configuration(locale: Locale(identifier: "de"))
    //: withTraitCollection(_:)
    _ = configuration.withTraitCollection(nil)
    //: withLocale(_:)
    _ = configuration.withLocale(nil)
    //: applying(_:)
    _ = configuration.applying(nil)
}
