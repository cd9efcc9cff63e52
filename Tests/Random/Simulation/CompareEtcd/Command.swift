// Sends the same random requests to the model of etcd and to the etcd that is installed, and compares the answers:
//
//     CompareEtcd [--requests 100000] [--seed 1] [--part requests|room|access|leases]

import Glibc
import JSONCodec
import SeededRandom
import Simulated

@main struct Command {
    static func main() {
        var (requests, seed) = (100_000, UInt64(1))
        var parts = Part.all
        var rest = CommandLine.arguments.dropFirst()
        while let name = rest.popFirst() {
            let text = rest.popFirst() ?? ""
            switch (name, UInt64(text)) {
            case ("--requests", let value?): requests = Int(value)
            case ("--seed", let value?): seed = value
            case ("--part", _): parts = parts.filter { $0.name == text }
            default: usage(name)
            }
        }
        if !EtcdServer.isInstalled {
            print("CompareEtcd: skipped, etcd is not installed")
            exit(0)
        }
        var differences = 0
        for part in parts {
            do {
                differences += try run(part, requests, seed)
            } catch {
                print("\(part.name): \(error)")
                exit(1)
            }
        }
        print("seed \(seed): \(differences) differences")
        exit(differences == 0 ? 0 : 1)
    }

    private static func usage(_ name: String) -> Never {
        print("CompareEtcd: what is \(name)?")
        exit(2)
    }

    private static func run(_ part: Part, _ requests: Int, _ seed: UInt64) throws -> Int {
        let server = try EtcdServer(part.arguments)
        defer { server.end() }
        let comparison = try Comparison(server, seed: seed)
        try part.run(comparison, max(part.least, requests / part.share))
        let counts = comparison.counts.sorted { $0.key < $1.key }
        let sum = counts.reduce(0) { $0 + $1.value }
        print(
            "\(part.name): \(sum) requests (\(counts.map { "\($0.key) \($0.value)" }.joined(separator: ", "))), "
                + "\(comparison.differences) differences")
        fflush(nil)
        return comparison.differences
    }
}
