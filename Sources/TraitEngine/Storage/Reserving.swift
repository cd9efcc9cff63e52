// How much of its address space the process lets growing blocks reserve, and how many mappings blocks
// have. The engine does not know the limits of a process: the program that does says so here.

import Synchronization

/// Limits of the process that arenas keep to.
package enum Reserving {
    /// Mappings up to which growing blocks reserve far more than they need. Beyond them, blocks have the
    /// size that they need, so that the system can join their mappings.
    private static let ampleMappingsMax = Atomic<Int>(.max)
    private static let held = Atomic<Int>(0)

    /// From now on growing blocks reserve little while blocks have so many mappings; 0 for always. To be
    /// called before the first hierarchy is made.
    package static func reserveAmply(below mappings: Int) {
        ampleMappingsMax.store(mappings, ordering: .relaxed)
    }

    /// The mappings of all blocks, about: the system may join some.
    package static var mappings: Int { held.load(ordering: .relaxed) }

    static var isAmple: Bool { mappings < ampleMappingsMax.load(ordering: .relaxed) }

    static func count(_ mappings: Int) { held.add(mappings, ordering: .relaxed) }
}
