// The sessions by name. Every request looks one up, so a name is compared as the bytes that the request
// has, and no string is made of it.

import TraitEngine

/// Confined by the store's mutex.
struct SessionTable {
    private var names: NameTable
    /// The sessions at the places that `names` leads to; nil at those that are free.
    private var places: [Session?] = []
    private var free: [Int32] = []

    /// - Parameter seed: a secret of the process, so that no client can choose names that collide.
    init(seed: UInt64 = .random(in: .min ... .max)) { names = NameTable(seed: seed) }

    var count: Int { places.count - free.count }

    /// The session of that name. O(length of the name).
    subscript(name: UnsafeRawBufferPointer) -> Session? {
        names.target(of: name).flatMap { places[Int($0)] }
    }

    subscript(name: String) -> Session? { names.target(of: name).flatMap { places[Int($0)] } }

    /// Adds the session, in the place of another one of its name. Amortised O(length of the name).
    mutating func insert(_ session: Session) {
        if let place = names.target(of: session.name) {
            places[Int(place)] = session
        } else if let place = free.popLast() {
            places[Int(place)] = session
            names.insert(session.name, target: place)
        } else {
            names.insert(session.name, target: Int32(places.count))
            places.append(session)
        }
    }

    /// Removes the session of that name, if there is one. Amortised O(length of the name).
    mutating func remove(_ name: String) {
        guard let place = names.target(of: name) else { return }
        names.remove(name)
        places[Int(place)] = nil
        free.append(place)
    }
}
