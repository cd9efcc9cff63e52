// The part of the first shard that takes connections in.

import Dispatch
import Glibc

extension Shard {
    /// Connections of one turn.
    private static let acceptsPerTurnMax = 64
    /// How long to accept nothing after descriptors ran out.
    private static let acceptPauseMilliseconds = 100

    func accept() {
        guard let listener else { return }
        var dealt = [ContiguousArray<Letter>](repeating: [], count: listener.mailboxes.count)
        deal: for _ in 0..<Self.acceptsPerTurnMax {
            switch listener.accept() {
            case .none: break deal
            case .lost: continue
            case .exhausted:
                listener.shedOne()
                pauseAccepting(listener)
                break deal
            case .accepted(let descriptor):
                setNoDelay(descriptor)
                let verdict = admission.enter()
                if verdict == .closed {
                    close(descriptor)
                    continue
                }
                let shard = listener.takeShard()
                if shard == index {
                    admit(descriptor, isRefused: verdict == .refused)
                } else {
                    dealt[shard].append(.accepted(descriptor, isRefused: verdict == .refused))
                }
            }
        }
        for (shard, letters) in dealt.enumerated() {
            listener.mailboxes[shard].post(contentsOf: letters)
        }
    }

    /// Head and body go out in one piece, so there is nothing to wait for.
    private func setNoDelay(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    private func pauseAccepting(_ listener: Listener) {
        poller.remove(listener.descriptor)
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.acceptPauseMilliseconds)) { [self] in
            guard let listener = self.listener else { return }
            _ = poller.add(listener.descriptor, token: Self.listenerToken, .readable)
        }
    }
}
