// Every member of UIFont.TextStyle that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: body
    let body: UIFont.TextStyle = .body
    _ = body
    //: callout
    let callout: UIFont.TextStyle = .callout
    _ = callout
    //: caption1
    let caption1: UIFont.TextStyle = .caption1
    _ = caption1
    //: caption2
    let caption2: UIFont.TextStyle = .caption2
    _ = caption2
    //: footnote
    let footnote: UIFont.TextStyle = .footnote
    _ = footnote
    //: headline
    let headline: UIFont.TextStyle = .headline
    _ = headline
    //: subheadline
    let subheadline: UIFont.TextStyle = .subheadline
    _ = subheadline
    //: largeTitle
    let largeTitle: UIFont.TextStyle = .largeTitle
    _ = largeTitle
    //: extraLargeTitle
    let extraLargeTitle: UIFont.TextStyle = .extraLargeTitle
    _ = extraLargeTitle
    //: extraLargeTitle2
    let extraLargeTitle2: UIFont.TextStyle = .extraLargeTitle2
    _ = extraLargeTitle2
    //: title1
    let title1: UIFont.TextStyle = .title1
    _ = title1
    //: title2
    let title2: UIFont.TextStyle = .title2
    _ = title2
    //: title3
    let title3: UIFont.TextStyle = .title3
    _ = title3
    //: metrics
    let metrics: UIFontMetrics = UIFont.TextStyle.body.metrics
    _ = metrics
    //: init(rawValue:)
    _ = UIFont.TextStyle(rawValue: "UICTFontTextStyleBody")
}
