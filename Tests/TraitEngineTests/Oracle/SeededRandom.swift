// What the random scripts have serves all other tests, too.

import TraitEngine
import TraitOracle

typealias SeededRandom = TraitOracle.SeededRandom

extension StructureSizes {
    /// Small trees use what only large ones need.
    static var tiny: StructureSizes { StructureSizes(blockLevels: 2, listedChildrenMax: 2) }
}
