// Every member of UIFont.Weight that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: ultraLight
    _ = UIFont.systemFont(ofSize: 12, weight: .ultraLight)
    //: thin
    _ = UIFont.systemFont(ofSize: 12, weight: .thin)
    //: light
    _ = UIFont.systemFont(ofSize: 12, weight: .light)
    //: regular
    _ = UIFont.systemFont(ofSize: 12, weight: .regular)
    //: medium
    _ = UIFont.systemFont(ofSize: 12, weight: .medium)
    //: semibold
    _ = UIFont.systemFont(ofSize: 12, weight: .semibold)
    //: bold
    _ = UIFont.systemFont(ofSize: 12, weight: .bold)
    //: heavy
    _ = UIFont.systemFont(ofSize: 12, weight: .heavy)
    //: black
    _ = UIFont.systemFont(ofSize: 12, weight: .black)
}
