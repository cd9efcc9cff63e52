// The transport where there is no other one: URLSession, reduced to what a client of traitd needs.

#if !(canImport(Glibc) || canImport(Musl))
    import Foundation
    import TraitClientCore

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

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
        fileprivate let receivers = Locked<[Int: TransferReceiver]>([:])
        private let session = Locked<URLSession?>(nil)

        /// URLSession keeps connections as it likes; without `keepsConnections` there is one request to a session.
        init(queue: DispatchQueue, keepsConnections: Bool) {
            super.init()
            let configuration = URLSessionConfiguration.ephemeral
            // Nothing is stored: no cookies, no answers, no credentials.
            configuration.urlCache = nil
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.urlCredentialStorage = nil
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            // Callers keep the deadlines of transfers.
            configuration.timeoutIntervalForRequest = Self.noTimeoutSeconds
            configuration.timeoutIntervalForResource = Self.noTimeoutSeconds
            configuration.httpMaximumConnectionsPerHost = 64
            let operations = OperationQueue()
            operations.underlyingQueue = queue
            operations.maxConcurrentOperationCount = 1
            let made = URLSession(
                configuration: configuration, delegate: self, delegateQueue: operations)
            session.withLock { $0 = made }
        }

        private static let noTimeoutSeconds = 1e9

        /// Sends the request. Nil after `invalidate`.
        func send(_ request: Request, _ receiver: @escaping TransferReceiver) -> Transfer? {
            guard let request = URLRequest(request) else { return nil }
            receiver(.begun)
            // Under the lock, so that no task is made of a session that has ended, which would trap.
            return session.withLock { session -> Transfer? in
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
            deliver(
                .head(
                    AnswerHead(
                        status: head.statusCode,
                        mediaType: head.value(forHTTPHeaderField: "Content-Type"),
                        retryAfter: head.value(forHTTPHeaderField: "Retry-After"))), of: dataTask)
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
        {
            deliver(.data(Array(data)[...]), of: dataTask)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
        ) {
            // A refused challenge is an error, although the answer is there.
            let status = (task.response as? HTTPURLResponse)?.statusCode
            let isAnswer = error == nil || status == 401 || status == 407
            // The error's own text may have the whole URL, which has no secret, and is hard to read.
            let code = (error as? URLError).map { "URLError \($0.code.rawValue)" }
            deliver(.end(isAnswer ? nil : code ?? "the connection was lost"), of: task)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
            completionHandler: @escaping (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }

        /// A server that asks for a password gets none. Certificates are checked as the system does it.
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let isPassword = [
                NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic,
                NSURLAuthenticationMethodHTTPDigest,
            ].contains(challenge.protectionSpace.authenticationMethod)
            completionHandler(isPassword ? .rejectProtectionSpace : .performDefaultHandling, nil)
        }
    }

    extension URLRequest {
        /// Nil unless the URL that the parts make names the same server.
        fileprivate init?(_ request: Request) {
            let origin = request.origin
            var parts = URLComponents()
            parts.scheme = origin.isSecure ? "https" : "http"
            parts.encodedHost =
                origin.host.contains(":")
                ? "[\(origin.host.replacing("%", with: "%25"))]" : origin.host
            parts.port = origin.port
            let target = request.target.split(
                separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            parts.percentEncodedPath = target.first.map(String.init) ?? "/"
            if target.count > 1 { parts.percentEncodedQuery = String(target[1]) }
            guard let url = parts.url,
                let made = URLComponents(url: url, resolvingAgainstBaseURL: true),
                (made.scheme, made.encodedHost, made.port) == (
                    parts.scheme, parts.encodedHost, parts.port
                )
            else { return nil }
            self.init(url: url)
            httpMethod = request.method
            for (name, value) in request.named { setValue(value, forHTTPHeaderField: name) }
            httpBody = request.body.map { Data($0) }
        }
    }
#endif
