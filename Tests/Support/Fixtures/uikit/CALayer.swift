// Every member of CALayer that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ layer: CALayer) {
    //: backgroundColor
    layer.backgroundColor = UIColor.red.cgColor
    //: borderColor
    layer.borderColor = nil
    //: borderWidth
    layer.borderWidth = 1
    //: cornerRadius
    layer.cornerRadius = 8
    //: maskedCorners
    layer.maskedCorners = [.layerMinXMinYCorner, .layerMaxXMinYCorner]
    //: masksToBounds
    layer.masksToBounds = true
    //: mask
    layer.mask = CALayer()
    //: shadowColor
    layer.shadowColor = UIColor.black.cgColor
    //: shadowOpacity
    layer.shadowOpacity = 0.5
    //: shadowOffset
    layer.shadowOffset = CGSize(width: 0, height: 2)
    //: shadowRadius
    layer.shadowRadius = 4
    //: opacity
    layer.opacity = 0.5
    //: isHidden
    layer.isHidden = true
    //: frame
    layer.frame = .zero
    //: bounds
    _ = layer.bounds.height
    //: name
    layer.name = "a"
    //: init()
    _ = CALayer()
    //: sublayers
    _ = layer.sublayers?.count
    //: superlayer
    _ = layer.superlayer
    //: addSublayer(_:)
    layer.addSublayer(CALayer())
    //: insertSublayer(_:at:)
    layer.insertSublayer(CALayer(), at: 0)
    //: removeFromSuperlayer()
    layer.removeFromSuperlayer()
}

@MainActor func useMore(_ layer: CALayer) {
    //: cornerCurve
    layer.cornerCurve = .continuous
    //: shouldRasterize
    layer.shouldRasterize = true
    //: rasterizationScale
    layer.rasterizationScale = 2
}
