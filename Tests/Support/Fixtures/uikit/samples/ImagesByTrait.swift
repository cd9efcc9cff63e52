// Images of an app for light and dark, and for scales.

import TraitKitUI

extension UIImageAsset {
    convenience init(light: UIImage, dark: UIImage) {
        self.init()
        register(light, with: UITraitCollection(userInterfaceStyle: .light))
        register(
            dark,
            with: UITraitCollection(traitsFrom: [
                UITraitCollection(userInterfaceStyle: .dark),
                UITraitCollection(userInterfaceLevel: .base),
            ]))
    }
}

extension UIImage {
    static func dynamic(light: UIImage, dark: UIImage) -> UIImage {
        UIImageAsset(light: light, dark: dark).image(with: .current)
    }

    func variant(for style: UIUserInterfaceStyle) -> UIImage? {
        imageAsset?.image(with: UITraitCollection(userInterfaceStyle: style))
    }
}

final class LogoView: UIImageView {
    private let pictures: UIImageAsset

    init(pictures: UIImageAsset) {
        self.pictures = pictures
        super.init(image: pictures.image(with: .current))
        contentMode = .center
        registerForTraitChanges(UITraitCollection.systemTraitsAffectingImageLookup) {
            (self: Self, _: UITraitCollection) in
            self.image = self.pictures.image(with: self.traitCollection)
        }
    }

    required init?(coder: NSCoder) { fatalError() }
}
