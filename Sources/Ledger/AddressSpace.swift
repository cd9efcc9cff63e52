// How much of its address space the process may use. Where `ulimit -v` or `-d` limits the space, or where
// there are too many mappings, the system refuses memory though there is plenty, and neither the allocator
// nor the language's runtime survives that. So requests are refused before.

import Glibc

/// The limits of the process's address space, and their use.
package final class AddressSpace: Sendable {
    /// One limit.
    package struct Limit: Hashable, Sendable {
        package enum Kind: Sendable {
            /// Bytes of all mappings: RLIMIT_AS, `ulimit -v`.
            case addresses
            /// Bytes of private mappings that can be written: RLIMIT_DATA, `ulimit -d`.
            case data
            /// The number of mappings: `vm.max_map_count`.
            case mappings
        }

        package let kind: Kind
        package let max: Int

        package init(_ kind: Kind, max: Int) {
            self.kind = kind
            self.max = max
        }

        /// Kept free for threads, the allocator and memory taken between two measurements: an eighth, and of
        /// bytes at most 256 MiB.
        package var reserve: Int { kind == .mappings ? max / 8 : min(max / 8, 268_435_456) }
    }

    package let limits: [Limit]
    private let used: @Sendable (Limit.Kind) -> Int?

    /// - Parameter used: the present use of a limit; nil when it is unknown.
    package init(_ limits: [Limit], used: @escaping @Sendable (Limit.Kind) -> Int?) {
        self.limits = limits
        self.used = used
    }

    /// The limits that the process has.
    ///
    /// - Parameter mappings: how many the program knows that it has.
    package static func ofProcess(mappings: @escaping @Sendable () -> Int) -> AddressSpace {
        var limits: [Limit] = []
        func add(_ resource: __rlimit_resource, _ kind: Limit.Kind) {
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0,
                limit.rlim_cur < rlim_t(Int.max)
            else { return }
            limits.append(Limit(kind, max: Int(limit.rlim_cur)))
        }
        add(RLIMIT_AS, .addresses)
        add(RLIMIT_DATA, .data)
        if let max = NumberFile.number(in: "/proc/sys/vm/max_map_count") {
            limits.append(Limit(.mappings, max: max))
        }
        return AddressSpace(limits) { kind in
            switch kind {
            case .addresses: ResidentMemory.pages(inField: 0)
            case .data: ResidentMemory.pages(inField: 5)
            case .mappings: mappings()
            }
        }
    }

    /// Whether the system counts what is reserved as if it were used: `vm.overcommit_memory` is 2.
    package static var reservationsCount: Bool {
        NumberFile.number(in: "/proc/sys/vm/overcommit_memory") == 2
    }

    /// Bytes that the process may map at most; nil without a limit.
    package var bytesMax: Int? { limits.filter { $0.kind != .mappings }.map(\.max).min() }

    /// Mappings that the process may have; nil when that is unknown.
    package var mappingsMax: Int? { limits.first { $0.kind == .mappings }?.max }

    /// Bytes that can be mapped before a limit's reserve is touched, 0 when there are too many mappings;
    /// nil without a limit. A system call for each limit of bytes.
    package func room() -> Int? {
        var room: Int?
        for limit in limits {
            guard let used = used(limit.kind) else { continue }
            let left = limit.max &- limit.reserve &- used
            if limit.kind != .mappings {
                room = min(room ?? .max, left)
            } else if left <= 0 {
                room = min(room ?? 0, 0)
            }
        }
        return room
    }

    /// The limit that has no room for `bytes` more; nil when all have.
    ///
    /// - Parameter keepsReserve: whether the reserve has to stay.
    package func shortage(for bytes: Int, keepsReserve: Bool = true) -> MemoryShortage? {
        for limit in limits {
            guard let used = used(limit.kind) else { continue }
            let left = limit.max &- (keepsReserve ? limit.reserve : 0) &- used
            if left < (limit.kind == .mappings ? 1 : bytes) {
                return MemoryShortage(.space(limit.kind), bytesMax: limit.max, bytes: used)
            }
        }
        return nil
    }
}

extension MemoryShortage {
    /// Describes a shortage of the address space and its remedy; nil for a shortage of the budget.
    package var spaceText: String? {
        guard case .space(let kind) = limit else { return nil }
        return switch kind {
        case .addresses:
            "The process uses \(bytes) of the \(bytesMax) bytes of addresses that it may have "
                + "(RLIMIT_AS), and keeps an eighth of them free. Raise the limit: "
                + "ulimit -v, or LimitAS= of systemd."
        case .data:
            "The process uses \(bytes) of the \(bytesMax) bytes of data that it may have "
                + "(RLIMIT_DATA), and keeps an eighth of them free. Raise the limit: "
                + "ulimit -d, or LimitDATA= of systemd."
        case .mappings:
            "The process has about \(bytes) of the \(bytesMax) mappings that it may have, and keeps an "
                + "eighth of them free. Raise the limit: sysctl vm.max_map_count."
        }
    }

    /// The name of that limit.
    package var spaceName: String? {
        guard case .space(let kind) = limit else { return nil }
        return switch kind {
        case .addresses: "addressBytesMax"
        case .data: "dataBytesMax"
        case .mappings: "mappingsMax"
        }
    }
}
