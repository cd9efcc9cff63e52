// How many of the process's open files a server needs.

extension ServerConfiguration {
    /// Descriptors that the server may have open beside those of `connectionsMax` connections.
    package var descriptorsBesideConnections: Int {
        // An epoll set, a mailbox and the counts of its thread each.
        let perShard = 3 * max(1, shards)
        let listeners = addresses.count + healthAddresses.count
        let hasHealth = !healthAddresses.isEmpty || inherited.contains(where: \.isForHealth)
        let reserves = hasHealth ? 2 : 1
        return perShard + listeners + reserves * limits.reservedConnections
            + Admission.refusalsMax + Acceptor.sparesCount
    }
}
