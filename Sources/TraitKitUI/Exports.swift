// What `import TraitKitUI` brings along. `import UIKit` brings Foundation, with `CGRect`, `CGFloat`,
// `Date` and the rest, so this import does so, too.

@_exported public import Foundation
@_exported public import TraitKit
