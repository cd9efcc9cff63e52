// The text of an entry or an answer, whose memory is used again.

import JSONCodec
import Ledger
import TraitEngine
import TraitJSON

/// Reused storage for JSON text that is passed around. Exclusivity is not checked at run time: one
/// writer at a time has the buffer, and what is written never refers to it.
package final class TextBuffer {
    @exclusivity(unchecked) package var json = JSONWriter()

    package init() {}

    /// If the text has more bytes than `bytes`, drops the text and frees the memory beyond `bytes`.
    package func shrink(to bytes: Int) {
        if json.count > bytes { json.reset(keeping: bytes) }
    }
}
