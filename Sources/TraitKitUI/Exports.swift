// The modules that `import TraitKitUI` imports too. `import UIKit` imports Foundation, with
// `CGRect`, `CGFloat` and `Date`, so this module exports Foundation as well.

@_exported public import Foundation
@_exported public import TraitKit
