// Which hosts and web pages may use the server, and the file of its tokens.

import ArgumentParser
import HTTPServer
import TraitService

extension InspectorMode: ExpressibleByArgument {}

struct AccessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The file of tokens, one of which every request then needs. `traitd token` writes it.",
            discussion: "SIGHUP rereads it.", valueName: "file"), completion: .file())
    var tokens: String?

    @Flag(help: "Let processes of the server's own user do everything on socket files.")
    var unixTrust = false

    @Option(
        help: ArgumentHelp(
            "Addresses of proxies that say whose requests they pass on, as 10.0.0.0/8 or 127.0.0.1; "
                + "unix for all clients of socket files. May be repeated.",
            discussion:
                "The client's address is taken from Forwarded or X-Forwarded-For, for the rates of "
                + "addresses.",
            valueName: "cidr"))
    var trustedProxy: [String] = []

    @Option(
        help: ArgumentHelp(
            "A further host that requests may name, beside the addresses listened on. May be repeated.",
            discussion:
                "Loopback addresses answer to no other host. Other addresses answer to any, unless "
                + "this is given.",
            valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "An origin whose pages may read and write, as https://app.example. May be repeated.",
            valueName: "origin"))
    var allowOrigin: [String] = []

    @Option(
        help: ArgumentHelp(
            "The path at which a proxy shows this server, as /traits, for addresses in answers.",
            valueName: "path"))
    var publicPath: String?

    @Option(
        help: ArgumentHelp(
            "The inspector at /ui; readonly offers nothing that writes.",
            valueName: "on|readonly|off"))
    var ui = InspectorMode.on

    func validate() throws {
        if let publicPath, !Self.isPath(publicPath) {
            throw ValidationError(
                "--public-path takes a path as /traits: segments of letters, digits and -._~, each "
                    + "behind a slash; '\(publicPath)' is none.")
        }
        if unixTrust, tokens == nil {
            throw ValidationError(
                "--unix-trust goes with --tokens: without tokens every client may do everything.")
        }
        if tokens != nil, allowOrigin.contains("*") {
            throw ValidationError(
                "--allow-origin '*' does not go with --tokens: name the origins whose pages have one."
            )
        }
        _ = try policy
        _ = try proxies
    }

    /// Segments that need no percent-encoding, and no slash at the end.
    private static func isPath(_ text: String) -> Bool {
        let segments = text.split(separator: "/", omittingEmptySubsequences: false)
        return segments.count > 1 && segments[0].isEmpty
            && segments.dropFirst().allSatisfy { segment in
                !segment.isEmpty && segment != "." && segment != ".."
                    && segment.utf8.allSatisfy {
                        (0x61...0x7a).contains($0) || (0x41...0x5a).contains($0)
                            || (0x30...0x39).contains($0) || "-._~".utf8.contains($0)
                    }
            }
    }

    var proxies: ProxyTrust {
        get throws {
            let prefixes = try trustedProxy.filter { $0 != "unix" }.map { text in
                guard let prefix = AddressPrefix(text: text) else {
                    throw ValidationError(
                        "--trusted-proxy takes an address with or without the length of a prefix, as "
                            + "10.0.0.0/8 or ::1, or unix; '\(text)' is none.")
                }
                return prefix
            }
            return ProxyTrust(
                prefixes: prefixes, trustsSocketFiles: trustedProxy.contains("unix"))
        }
    }

    var policy: AccessPolicy {
        get throws {
            do {
                return try AccessPolicy(hosts: allowHost, origins: allowOrigin)
            } catch {
                throw ValidationError(error.description)
            }
        }
    }
}
