// Cuts a failing script down to what still fails, so that a person can read it.

extension Script {
    /// The mismatch or error the script ends in.
    func failure() -> String? {
        do {
            try Lockstep.check(self)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// A script that fails too, from which nothing more can be left out (within a number of
    /// attempts).
    func shrunk(attemptsMax: Int = 600) -> Script {
        var best = self
        var attempts = 0
        func stillFails(_ script: Script) -> Bool {
            attempts += 1
            return attempts <= attemptsMax && script.failure() != nil
        }
        var isProgress = true
        while isProgress, attempts < attemptsMax {
            isProgress = false
            var size = max(1, best.steps.count / 2)
            while size >= 1 {
                var start = 0
                while start < best.steps.count {
                    var shorter = best
                    shorter.steps.removeSubrange(start..<min(start + size, best.steps.count))
                    if stillFails(shorter) {
                        best = shorter
                        isProgress = true
                    } else {
                        start += size
                    }
                }
                size /= 2
            }
            for position in best.steps.indices {
                if best.shrinkTransaction(at: position, stillFails) { isProgress = true }
            }
        }
        return best
    }

    private mutating func shrinkTransaction(
        at position: Int, _ stillFails: (Script) -> Bool
    ) -> Bool {
        var isProgress = false
        var index = 0
        while case .transaction(var operations, let keep) = steps[position],
            index < operations.count
        {
            operations.remove(at: index)
            var shorter = self
            shorter.steps[position] = .transaction(operations, keep: keep)
            if stillFails(shorter) {
                self = shorter
                isProgress = true
            } else {
                index += 1
            }
        }
        return isProgress
    }
}
