// What every operation gets: endpoints extend this type with what they read from a request.

import HTTPServer

/// One request on its way through an operation.
struct Request {
    let exchange: Exchange
    let context: RequestContext
}
