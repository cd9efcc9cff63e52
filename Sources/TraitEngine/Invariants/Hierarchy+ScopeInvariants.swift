// Invariants of tracked scopes, and of registrations that name colours or images.

extension Hierarchy {
    func checkScopes() throws(InvariantError) {
        var found: Set<Int32> = []
        var hidden: Set<Int32> = []
        for node in livingNodes {
            let scopes = scopes(on: node)
            for scope in scopes {
                if let name = parts.scopes[scope]?.name {
                    let known = self.scope(NodeIndex(rawValue: node), name)?.name == name
                    try require(known, "\(self.name(node)): the scope \(name) is not found")
                }
                try require(
                    found.insert(scope).inserted, "\(name(node)) has a scope twice")
                hidden.formUnion(try checkedRegistrations(of: scope, node))
            }
        }
        try require(found.count == scopeCount, "\(found.count) scopes, \(scopeCount) counted")
        for index in parts.registrations.indices
        where parts.registrations[index].state != .free
            && parts.registrations[index].scope != nil
        {
            try require(hidden.contains(index), "a scope's registration is lost")
        }
        // A frozen hierarchy has no undo log.
        if isFrozen { return }
        let ended = transaction.log.remaining.count {
            if case .scopeEnded = $0 { true } else { false }
        }
        let copied = transaction.log.remaining.count {
            if case .scopeChanged = $0 { true } else { false }
        }
        let fault = parts.scopes.fault(ended: ended, copied: copied)
        try require(fault == nil, fault ?? "")
    }

    /// The scope's registrations: one on each node that it covers.
    private func checkedRegistrations(
        of index: Int32, _ node: Int32
    ) throws(InvariantError) -> [Int32] {
        guard let scope = parts.scopes[index], scope.isAlive, scope.node == node,
            scope.coversViews == parts.nodes[node].kind.scopesCoverViews
        else {
            throw InvariantError(description: "\(name(node)): a scope is not alive")
        }
        var covered: Set<Int32> = [node]
        if parts.nodes[node].kind.scopesCoverViews {
            for child in livingNodes
            where parts.nodes.parent(of: child) == node && parts.nodes[child].kind == .view {
                covered.insert(child)
            }
        }
        var list: [Int32] = []
        var hidden = scope.first
        while hidden >= 0 {
            let registration = parts.registrations[hidden]
            try require(
                registration.state == .alive && registration.scope == index
                    && parts.registrations.traits(of: hidden) == listened(by: scope),
                "\(name(node)): a scope has another's registration")
            try require(
                covered.remove(registration.node) != nil,
                "\(name(node)): a scope covers \(name(registration.node))")
            list.append(hidden)
            hidden = registration.nextOfScope
        }
        try require(covered.isEmpty, "\(name(node)): a scope misses \(covered.count) nodes")
        return list
    }

    func checkDynamics() throws(InvariantError) {
        var uses: [DynamicName: Int] = [:]
        var subjects = 0
        for index in parts.registrations.indices
        where parts.registrations[index].state != .free {
            let registration = parts.registrations[index]
            if registration.dynamics < 0 { continue }
            subjects += 1
            guard let ask = parts.dynamics[registration.dynamics] else {
                throw InvariantError(description: "a registration forgot its colours")
            }
            try require(
                (ask.hidden >= 0) == (registration.state == .alive), "colours heard wrongly")
            if registration.state != .alive { continue }
            let listener = parts.registrations[ask.hidden]
            guard case .dynamics(index) = listener.role else {
                throw InvariantError(description: "a wrong hidden registration")
            }
            try require(
                listener.node == registration.node
                    && parts.registrations.traits(of: ask.hidden) == ask.dependsOn,
                "a wrong hidden registration")
            for name in ask.names {
                uses[name, default: 0] += 1
                let value = definitions.named[name.kind][name.name]
                try require(value != nil, "\(name.name) is gone, but a registration names it")
                try require(
                    value?.dependsOn.isSubset(of: ask.dependsOn) == true, "missing dependencies")
            }
        }
        try require(subjects == parts.dynamics.count, "names of colours leaked")
        try require(isFrozen || parts.dynamics.usesAre(uses), "uses of colours miscounted")
    }
}
