// An answer that shows a revision which the session's log has not acknowledged yet. The request is parked; when
// the log has answered, the answer goes out as it is, becomes a problem, or is made again.

import HTTPServer
import HTTPWire
import Ledger
import SessionViews
import TraitJSON
import TraitSessions

extension WakeTarget: Waker {
    package func wake() { WakeHandle(self).wake() }

    package static func wake(_ all: ContiguousArray<any Waker>) {
        var handles: [WakeHandle] = []
        handles.reserveCapacity(all.count)
        for waker in all {
            if type(of: waker) == WakeTarget.self {
                handles.append(WakeHandle(unsafeDowncast(waker, to: WakeTarget.self)))
            } else {
                // A snapshot or a backup waits for a commit as well.
                waker.wake()
            }
        }
        WakeHandle.wake(handles)
    }
}

/// How a write is answered that was decided apart from its request.
struct WriteAnswer {
    let answer: Proposal.Answer
    let session: Session
    /// Whether what the operation creates is the request's own resource: 201 then.
    let creates: Bool
}

/// One parked request. Confined to the shard of its request.
final class PendingAnswer {
    private let service: TraitService
    private let context: RequestContext
    private let request: RetainedRequest
    private let mark: RequestMark
    private var response: PendingResponse
    /// The answer that the context had; nil exactly where `work` is not.
    private let sealed: SealedAnswer?
    private let write: WriteAnswer?
    /// Called in place of an answer once the response is released.
    private let work: ((Exchange) -> Void)?
    private var waker: WakeTarget?
    /// Monotonic nanoseconds until which the request waits for the log; nil for as long as the log takes.
    private let deadline: UInt64?
    /// When the acknowledged state is copied for a read that asks for what this server knows; nil for other requests,
    /// and afterwards.
    private var copiesAt: UInt64?

    /// Nanoseconds that a read waits for the revision that it wants.
    private static let revisionWaitMax: UInt64 = 2_000_000_000
    /// Nanoseconds that a local read waits for commits that it could show.
    private static let localWaitMax: UInt64 = 100_000_000

    /// Nil where the system refuses the memory.
    ///
    /// - Parameters:
    ///   - response: what the answer in the context waits for.
    ///   - deadline: the one of the request, if it has waited before.
    init?(
        _ service: TraitService, _ context: RequestContext, _ exchange: Exchange,
        _ request: RetainedRequest, waitingFor response: PendingResponse, until deadline: UInt64?
    ) {
        guard let mark = context.mark(exchange), let sealed = SealedAnswer(context) else {
            return nil
        }
        self.service = service
        self.context = context
        self.response = response
        self.request = request
        self.mark = mark
        self.sealed = consume sealed
        write = context.write
        work = nil
        let waitMax =
            mark.origin.minRevision > 0
            ? min(service.waitMax ?? .max, Self.revisionWaitMax) : service.waitMax
        // A start takes as long as the log is.
        self.deadline =
            service.store.isStarting ? nil : deadline ?? waitMax.map { exchange.now &+ $0 }
    }

    /// Waits before the work of a request, and not before its answer.
    init(
        _ service: TraitService, _ context: RequestContext, _ request: RetainedRequest,
        _ mark: RequestMark, waitingFor response: PendingResponse, until deadline: UInt64?,
        work: @escaping (Exchange) -> Void
    ) {
        self.service = service
        self.context = context
        self.response = response
        self.request = request
        self.mark = mark
        self.deadline = deadline
        self.work = work
        sealed = nil
        write = nil
    }

    /// Parks the request until the response is decided.
    func park(_ exchange: Exchange) {
        if mark.origin.confirmation.isWaived, response.session != nil {
            copiesAt = exchange.now &+ Self.localWaitMax
        }
        let handle = exchange.park(until: copiesAt ?? deadline) { exchange, _ in
            self.resume(exchange)
        }
        waker = handle.target
        if response.attach(handle.target) { handle.wake() }
    }

    private func resume(_ exchange: Exchange) -> ParkedStep {
        switch response.decision {
        case .pending:
            if let copiesAt {
                if exchange.now < copiesAt { return .keepWaiting(until: copiesAt) }
                copyAcknowledged(for: exchange.caller)
                return .keepWaiting(until: deadline)
            }
            guard let deadline, exchange.now >= deadline else {
                return .keepWaiting(until: deadline)
            }
            let isWrite = response.hasCommit || mark.origin.confirmation.isForWrite
            refuse(isWrite ? .outcomeUnknown : .newestUnknown, exchange)
        case .released:
            if let work {
                work(exchange)
            } else {
                if confirmsFirst() { return .keepWaiting(until: deadline) }
                release(exchange)
            }
        case .refused(let error):
            if !response.confirms, confirmsFirst() { return .keepWaiting(until: deadline) }
            refuse(error, exchange)
        case .readAgain: repeatRequest(exchange)
        }
        return .answered
    }

    /// Goes on when the acknowledged state of the session has been copied, and is handled again then.
    private func copyAcknowledged(for caller: MemoryAccount) {
        copiesAt = nil
        guard let name = response.session, let session = service.store.find(name), let waker,
            session.acknowledgedCopy == nil
        else { return }
        response = session.copyAcknowledged(for: caller)
        if response.attach(waker) { waker.wake() }
    }

    /// Whether the answer first waits for a confirmation. A write of which the log has nothing may show an old state.
    private func confirmsFirst() -> Bool {
        guard !mark.origin.confirmation.isDone, !response.hasCommit, let waker,
            let confirmation = service.confirmation(of: mark.origin)
        else { return false }
        response = confirmation
        if response.attach(waker) { waker.wake() }
        return true
    }

    private func refuse(_ error: SessionError, _ exchange: Exchange) {
        resumeContext(exchange)
        let revision = mark.origin.minRevision
        context.render(
            revision > 0 && response.confirms
                ? service.aheadOf(revision) : Problem(error))
        if response.refusedAt > 0 { context.field("Traitd-Revision", response.refusedAt) }
        context.send(on: exchange)
    }

    /// Restores the context for the request, and adds the time that the request waited for the log.
    private func resumeContext(_ exchange: Exchange) {
        context.resume(mark)
        context.origin.waitedForLog &+= exchange.now &- min(mark.since, exchange.now)
    }

    private func release(_ exchange: Exchange) {
        if let refusal = response.refusal { return refuse(refusal, exchange) }
        resumeContext(exchange)
        guard let write, let outcome = response.outcome, let body = response.body else {
            switch sealed {
            case .some(let sealed): return sealed.send(on: exchange, context)
            case .none: return
            }
        }
        let isLong = body.count > service.limits.inlineAnswerBytesMax
        if !isLong { body.withUnsafeBytes { context.body.verbatim($0) } }
        exchange.withRequest(request) {
            Request(exchange: exchange, context: context).finishWriting(
                outcome, head: response.decidedAt, write)
        }
        guard isLong, context.status != 204 else { return context.send(on: exchange) }
        // The thread that carried out the write has written the body. The shard does not copy it.
        context.leave(on: exchange, .produced(BodyProducer(body)))
    }

    /// Handles the request again: the commits that the answer showed were undone, or the request only waited.
    private func repeatRequest(_ exchange: Exchange) {
        resumeContext(exchange)
        if response.confirms { context.origin.confirmation = .done }
        exchange.withRequest(request) { service.answer(exchange, context) }
        if !context.isTaken { service.finish(exchange, context, request, until: deadline) }
        context.wakes.wake()
    }
}

/// A complete answer that waits after its context has gone on to other requests.
private struct SealedAnswer: ~Copyable {
    private let status: Int
    private let contentType: StaticString?
    /// Header lines, and behind them the body.
    private let block: GrowingBlock
    private let fieldsEnd: Int

    /// Nil where the system refuses the memory.
    init?(_ context: RequestContext) {
        let (fields, body) = (context.fields.bytes, context.body.bytes)
        guard let block = GrowingBlock(capacity: fields.count + body.count) else { return nil }
        block.copy(fields, to: 0)
        block.copy(body, to: fields.count)
        status = context.status
        contentType = context.contentType
        fieldsEnd = fields.count
        self.block = block
    }

    func send(on exchange: Exchange, _ context: RequestContext) {
        _ = context.leave(
            on: exchange, status: status, contentType: contentType,
            fields: block.bytes(0..<fieldsEnd),
            .borrowed(block.bytes(fieldsEnd..<block.capacity)))
    }
}
