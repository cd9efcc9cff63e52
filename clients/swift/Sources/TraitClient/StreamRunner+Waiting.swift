// What callers ask a stream from other threads: why there is no connection, and whether the state is complete.

extension StreamRunner {
    /// Why there is no connection: of the end, or of the last connection that was lost. While there is one, nil, or that
    /// the records come by long polls.
    var reason: TraitdError? {
        shared.withLock { shared in
            if let closing = shared.closing { return closing }
            guard shared.state == .ready else { return shared.lost }
            let message = "No stream came through, so the records come by long polls."
            return shared.isPolling ? TraitdError(code: "polling", message: message) : nil
        }
    }

    /// Returns when the follower is complete, or was.
    /// - Throws: the reason when the stream closes before, `timeout` when the time is up, or `CancellationError`.
    func synced(within timeout: Duration?) async throws {
        guard let timeout else { return try await synced() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.synced() }
            group.addTask {
                try await Task.sleep(for: timeout)
                let reason = self.reason.map { ": \($0)" } ?? "."
                throw TraitdError(
                    code: "timeout", status: self.reason?.status,
                    message: "The watch was not complete within \(timeout)\(reason)")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func synced() async throws {
        let number = shared.withLock { shared in
            shared.waiterNumber += 1
            return shared.waiterNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = shared.withLock { shared -> Result<Void, any Error>? in
                    if shared.follower.isComplete { return .success(()) }
                    if let closing = shared.closing { return .failure(closing) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    shared.waiters[number] = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = shared.withLock { $0.waiters.removeValue(forKey: number) }
            waiter?.resume(throwing: CancellationError())
        }
    }
}
