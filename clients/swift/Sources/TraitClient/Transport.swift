// URLSession, reduced to what a client of traitd needs: the head, the bytes as they come, the end, and cancelling.
// Redirects are refused, since a redirect could carry the token to another host.

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What happens to a transfer, in this order.
enum TransferEvent {
    case head(HTTPURLResponse)
    case data(Data)
    /// Without an error the body is complete.
    case end((any Error)?)
}

/// A request that is being carried out.
struct Transfer: Sendable {
    fileprivate let task: URLSessionDataTask
    fileprivate let transport: Transport

    /// Closes the connection at once. No event comes after this call, except one that is being delivered.
    func cancel() {
        _ = transport.receivers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        task.cancel()
    }
}

/// One URLSession. Events come on `queue`, which is serial.
final class Transport: NSObject, URLSessionDataDelegate, Sendable {
    typealias Receiver = @Sendable (TransferEvent) -> Void

    fileprivate let receivers = Locked<[Int: Receiver]>([:])
    private let session = Locked<URLSession?>(nil)

    init(queue: DispatchQueue) {
        super.init()
        let configuration = URLSessionConfiguration.ephemeral
        // Nothing is stored: no cookies, no answers, no credentials.
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = Self.noTimeout.seconds
        configuration.timeoutIntervalForResource = Self.foreverSeconds
        configuration.httpMaximumConnectionsPerHost = 64
        let operations = OperationQueue()
        operations.underlyingQueue = queue
        operations.maxConcurrentOperationCount = 1
        let made = URLSession(
            configuration: configuration, delegate: self, delegateQueue: operations)
        session.withLock { $0 = made }
    }

    private static let foreverSeconds = 1e9
    /// Callers keep the deadlines of transfers: URLSession on Linux counts whole seconds only.
    static let noTimeout = Duration.seconds(1_000_000)

    /// Sends the request. Nil after `invalidate`.
    func send(_ request: URLRequest, _ receiver: @escaping Receiver) -> Transfer? {
        // Under the lock, so that no task is made of a session that has ended, which would trap.
        session.withLock { session in
            guard let session else { return nil }
            let task = session.dataTask(with: request)
            receivers.withLock { $0[task.taskIdentifier] = receiver }
            task.resume()
            return Transfer(task: task, transport: self)
        }
    }

    /// Cancels all transfers, and lets go of the URLSession, which holds its delegate until then.
    func invalidate() {
        let ended = session.withLock { session in
            defer { session = nil }
            return session
        }
        receivers.withLock { $0 = [:] }
        ended?.invalidateAndCancel()
    }

    private func deliver(_ event: TransferEvent, of task: URLSessionTask) {
        let receiver = receivers.withLock { receivers in
            if case .end = event { return receivers.removeValue(forKey: task.taskIdentifier) }
            return receivers[task.taskIdentifier]
        }
        receiver?(event)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        guard let head = response as? HTTPURLResponse else { return completionHandler(.cancel) }
        deliver(.head(head), of: dataTask)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        deliver(.data(data), of: dataTask)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        deliver(.end(error), of: task)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// A server that asks for a password gets none. Without this answer a task on Linux never ends after 401 with
    /// `Basic`. Certificates are checked as the system does it.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let isPassword = [
            NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic,
            NSURLAuthenticationMethodHTTPDigest,
        ].contains(challenge.protectionSpace.authenticationMethod)
        completionHandler(isPassword ? .rejectProtectionSpace : .performDefaultHandling, nil)
    }
}
