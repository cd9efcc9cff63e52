// Which hosts and web pages may use the server.

import ArgumentParser
import TraitService

struct DoorOptions: ParsableArguments {
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

    func validate() throws { _ = try policy }

    var policy: DoorPolicy {
        get throws {
            do {
                return try DoorPolicy(hosts: allowHost, origins: allowOrigin)
            } catch {
                throw ValidationError(error.description)
            }
        }
    }
}
