// The limits of the server, each under the name that an answer beyond it gives.

import ArgumentParser
import HTTPServer

struct LimitOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Bytes of method, target and version together.", valueName: "bytes"))
    var requestLineBytesMax = 8_192

    @Option(help: ArgumentHelp("Bytes of all header fields of a request.", valueName: "bytes"))
    var headerBytesMax = 16_384

    @Option(help: ArgumentHelp("Header fields of a request.", valueName: "n"))
    var headerCountMax = 100

    @Option(
        help: ArgumentHelp(
            "Bytes of a request's body, before and after decompression.", valueName: "bytes"))
    var bodyBytesMax = 16_777_216

    @Option(
        help: ArgumentHelp(
            "Seconds from a request's first byte to the end of its head.", valueName: "seconds"))
    var headerTimeoutSeconds = 10

    @Option(
        help: ArgumentHelp(
            "Seconds for a body, beyond what its length takes at the slowest rate allowed.",
            valueName: "seconds"))
    var bodyTimeoutSeconds = 30

    @Option(help: ArgumentHelp("The slowest rate at which a body may come.", valueName: "n"))
    var bodyBytesPerSecondMin = 16_384

    @Option(
        help: ArgumentHelp(
            "Seconds a connection may rest between requests.", valueName: "seconds"))
    var idleTimeoutSeconds = 75

    @Option(
        help: ArgumentHelp(
            "Seconds a client may take nothing of what waits for it.", valueName: "seconds"))
    var writeStallTimeoutSeconds = 10

    @Option(help: ArgumentHelp("Open connections.", valueName: "n"))
    var connectionsMax = 16_000

    @Option(
        help: ArgumentHelp(
            "Open connections from one IPv4 address or one /64 of IPv6. (default: no limit)",
            valueName: "n"))
    var connectionsPerAddressMax: Int?

    @Option(
        help: ArgumentHelp(
            "Requests on one connection, which then closes. (default: no limit)", valueName: "n"))
    var requestsPerConnectionMax: Int?

    @Option(
        help: ArgumentHelp(
            "Pipelined requests that are answered before others get their turn.", valueName: "n"))
    var pipelineDepthMax = 128

    @Option(
        help: ArgumentHelp(
            "Bytes that all connections together may hold of unfinished requests.",
            valueName: "bytes"))
    var collectedBytesMax = 268_435_456

    @Option(
        help: ArgumentHelp(
            "Bytes that all connections together may hold of answers not yet taken.",
            valueName: "bytes"))
    var unsentBytesMax = 268_435_456

    /// Each option with its value and the values that it may have.
    private var bounds: [(option: String, value: Int?, allowed: ClosedRange<Int>)] {
        let sizes = 1_024...536_870_911
        let seconds = 1...86_400
        return [
            ("request-line-bytes-max", requestLineBytesMax, 64...1_048_576),
            ("header-bytes-max", headerBytesMax, 256...1_048_576),
            ("header-count-max", headerCountMax, 1...10_000),
            ("body-bytes-max", bodyBytesMax, sizes),
            ("header-timeout-seconds", headerTimeoutSeconds, seconds),
            ("body-timeout-seconds", bodyTimeoutSeconds, seconds),
            ("body-bytes-per-second-min", bodyBytesPerSecondMin, 1...1_000_000_000),
            ("idle-timeout-seconds", idleTimeoutSeconds, seconds),
            ("write-stall-timeout-seconds", writeStallTimeoutSeconds, seconds),
            ("connections-max", connectionsMax, 1...10_000_000),
            ("connections-per-address-max", connectionsPerAddressMax, 1...10_000_000),
            ("requests-per-connection-max", requestsPerConnectionMax, 1...1_000_000_000_000),
            ("pipeline-depth-max", pipelineDepthMax, 1...100_000),
            ("collected-bytes-max", collectedBytesMax, 65_536...1_099_511_627_776),
            ("unsent-bytes-max", unsentBytesMax, 65_536...1_099_511_627_776),
        ]
    }

    func validate() throws {
        for (option, value, allowed) in bounds {
            guard let value, !allowed.contains(value) else { continue }
            throw ValidationError(
                "--\(option) goes from \(allowed.lowerBound) to \(allowed.upperBound).")
        }
    }

    func apply(to configuration: inout ServerConfiguration) {
        configuration.wireLimits.requestLineBytesMax = requestLineBytesMax
        configuration.wireLimits.headerBytesMax = headerBytesMax
        configuration.wireLimits.headerCountMax = headerCountMax
        configuration.wireLimits.bodyBytesMax = bodyBytesMax
        configuration.wireLimits.decodedBodyBytesMax = bodyBytesMax
        configuration.limits.headerTimeoutSeconds = Double(headerTimeoutSeconds)
        configuration.limits.bodyTimeoutSeconds = Double(bodyTimeoutSeconds)
        configuration.limits.bodyBytesPerSecondMin = bodyBytesPerSecondMin
        configuration.limits.idleTimeoutSeconds = Double(idleTimeoutSeconds)
        configuration.limits.writeStallTimeoutSeconds = Double(writeStallTimeoutSeconds)
        configuration.limits.connectionsMax = connectionsMax
        configuration.limits.connectionsPerAddressMax = connectionsPerAddressMax ?? .max
        configuration.limits.requestsPerConnectionMax = requestsPerConnectionMax ?? .max
        configuration.limits.pipelineDepthMax = pipelineDepthMax
        configuration.limits.collectedBytesMax = collectedBytesMax
        configuration.limits.unsentBytesMax = unsentBytesMax
    }
}
