// The first shard accepts connections.

import Dispatch
import Glibc

extension Shard {
    /// Connections of one turn and socket.
    private static let acceptsPerTurnMax = 64
    /// How long to accept nothing after the system's descriptors or memory ran out.
    private static let acceptPauseMilliseconds = 100

    /// Each address has a token; the tokens count down from `listenerToken`.
    func watchListeners() {
        guard let acceptor else { return }
        for (index, socket) in acceptor.sockets.enumerated() {
            _ = poller.add(
                socket.descriptor, token: Self.listenerToken &- UInt64(index), .readable)
        }
    }

    func accept(_ token: UInt64) {
        let index = Int(Self.listenerToken &- token)
        guard let acceptor, index < acceptor.sockets.count else { return }
        let socket = acceptor.sockets[index]
        var dealt = [ContiguousArray<Message>](repeating: [], count: acceptor.mailboxes.count)
        deal: for count in 0..<Self.acceptsPerTurnMax {
            if count > 0, isTurnOver { break }
            switch acceptor.accept(socket) {
            case .none: break deal
            case .lost: continue
            case .full:
                becomeFull(acceptor)
                acceptor.shedOne(socket)
                break deal
            case .exhausted:
                acceptor.shedOne(socket)
                pauseAccepting(acceptor)
                break deal
            case .accepted(let descriptor, let address):
                if acceptor.takeSparesAgain() { admission.openAll() }
                let verdict =
                    socket.isForHealth ? admission.enterForHealth() : admission.enter(address)
                if verdict == .closed {
                    close(descriptor)
                    continue
                }
                if Acceptor.isLast(descriptor) {
                    admission.leave(address, after: verdict)
                    becomeFull(acceptor)
                    close(descriptor)
                    break deal
                }
                if address != .none { setNoDelay(descriptor) }
                let arrival = Arrival(
                    descriptor: descriptor, address: address, verdict: verdict,
                    listener: socket.listener)
                let shard = acceptor.takeShard()
                if shard == self.index {
                    admit(arrival)
                } else {
                    dealt[shard].append(.accepted(arrival))
                }
            }
        }
        for (shard, messages) in dealt.enumerated() {
            acceptor.mailboxes[shard].post(contentsOf: messages)
        }
    }

    /// No descriptor is left: frees some, and lets no more connections in than there are now.
    private func becomeFull(_ acceptor: Acceptor) {
        acceptor.giveSparesBack()
        admission.closeAboveCurrent()
    }

    /// Head and body are sent together, so Nagle's algorithm would only delay them.
    private func setNoDelay(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Pauses all listening sockets: the system has no descriptor or memory for any of them.
    private func pauseAccepting(_ acceptor: Acceptor) {
        for socket in acceptor.sockets { poller.remove(socket.descriptor) }
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.acceptPauseMilliseconds)) { [self] in
            watchListeners()
        }
    }
}

/// A connection on its way to its shard.
struct Arrival: Sendable {
    let descriptor: Int32
    let address: ClientAddress
    let verdict: Admission.Verdict
    let listener: Listener

    var entrance: Entrance {
        switch verdict {
        case .reserved: .reserved
        case .health: .health
        default: .open
        }
    }
}
