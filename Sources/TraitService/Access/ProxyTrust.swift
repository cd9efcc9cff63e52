// Behind a proxy every connection has the proxy's address. A proxy that is trusted says whose request it
// passes on, in `Forwarded` (RFC 7239) or `X-Forwarded-For`.

import HTTPServer
import HTTPWire

package struct ProxyTrust: Sendable {
    private let prefixes: [AddressPrefix]
    /// Whether every client of a socket file is a trusted proxy.
    private let trustsSocketFiles: Bool

    package static let none = ProxyTrust(prefixes: [], trustsSocketFiles: false)

    package init(prefixes: [AddressPrefix], trustsSocketFiles: Bool) {
        self.prefixes = prefixes
        self.trustsSocketFiles = trustsSocketFiles
    }

    var isOn: Bool { trustsSocketFiles || !prefixes.isEmpty }

    private func trusts(_ address: ClientAddress) -> Bool {
        address == .none ? trustsSocketFiles : prefixes.contains { $0.contains(address) }
    }

    /// The address of the client: the last one in the list that is not a trusted proxy's. Anybody may
    /// have written what stands before it.
    func client(of exchange: Exchange) -> ClientAddress {
        let peer = exchange.clientAddress
        guard isOn, trusts(peer) else { return peer }
        let hasForwarded = exchange.header(.forwarded) != nil
        let hasList = exchange.header(.xForwardedFor) != nil
        // A proxy writes one of them and may pass on the other as a client sent it: with both, neither
        // can be believed.
        guard hasForwarded != hasList else { return peer }
        var text = ""
        exchange.forEachHeader(hasForwarded ? .forwarded : .xForwardedFor) { value in
            // In a string a comma and a combining character behind it are one character, at which no
            // list is split. No address has a byte beyond ASCII.
            let plain = value.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }
            text += (text.isEmpty ? "" : ",") + String(decoding: plain, as: UTF8.self)
        }
        var client = peer
        for item in text.split(separator: ",", omittingEmptySubsequences: false).reversed() {
            let node = hasForwarded ? Self.node(inElement: item) : item.trimmed
            guard let node, let address = Self.address(node) else { return client }
            client = address
            if !trusts(address) { return client }
        }
        return client
    }

    /// The value of `for` in one element of `Forwarded`.
    private static func node(inElement element: Substring) -> Substring? {
        for pair in element.split(separator: ";") {
            let pair = pair.trimmed
            guard pair.utf8.count > 4, pair.prefix(4).lowercased() == "for=" else { continue }
            var value = pair.dropFirst(4)
            if value.hasPrefix("\""), value.hasSuffix("\""), value.utf8.count > 1 {
                value = value.dropFirst().dropLast()
            }
            return value
        }
        return nil
    }

    /// An address, with or without a port.
    private static func address(_ node: Substring) -> ClientAddress? {
        if node.hasPrefix("["), let end = node.firstIndex(of: "]") {
            return ClientAddress(text: String(node[node.index(after: node.startIndex)..<end]))
        }
        if let address = ClientAddress(text: String(node)) { return address }
        guard let colon = node.lastIndex(of: ":") else { return nil }
        return ClientAddress(text: String(node[..<colon]))
    }
}

extension Substring {
    /// Without blanks and tabs at both ends.
    var trimmed: Substring {
        var text = self
        while text.first == " " || text.first == "\t" { text = text.dropFirst() }
        while text.last == " " || text.last == "\t" { text = text.dropLast() }
        return text
    }
}
