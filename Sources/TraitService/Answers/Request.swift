// The argument of every operation. Endpoints extend the type with the parts of a request that they read.

import HTTPServer

/// One request on its way through an operation.
struct Request {
    let exchange: Exchange
    let context: RequestContext
}
