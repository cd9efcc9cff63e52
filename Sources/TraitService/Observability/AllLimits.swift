// The limits of all layers together: what settings change and docs/limits.md lists.

import HTTPServer
import HTTPWire
import JSONCodec
import Limits
import SessionViews
import TraitEngine
import TraitSessions

package struct AllLimits: LimitTable {
    package var wire = WireLimits()
    package var server = ServerLimits()
    package var service = ServiceLimits()
    /// Every reader of JSON has these defaults: no setting changes them.
    package var json = JSONLimits()

    package init() {}

    package static let all: [Limit<AllLimits>] =
        WireLimits.all.map { $0.within(\.wire) }
        + ServerLimits.all.map { $0.within(\.server) }
        + ServiceLimits.all.map { $0.within(\.service) }
        + HierarchyLimits.all.map { $0.within(\.service.hierarchy) }
        + JSONLimits.all.map { $0.within(\.json) }
}
