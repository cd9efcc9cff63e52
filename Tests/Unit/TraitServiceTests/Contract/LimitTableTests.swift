// The tables of limits: each limit is in one, and everything that names a limit agrees with it.

import Foundation
import HTTPServer
import HTTPWire
import JSONCodec
import Limits
import TestSupport
import Testing

@testable import SessionViews
@testable import TraitEngine
@testable import TraitService
@testable import TraitSessions

@Suite("The tables of limits")
struct LimitTableTests {
    @Test("have one entry for each property, and the entry writes that property")
    func complete() {
        Self.check(WireLimits.self)
        Self.check(ServerLimits.self)
        Self.check(ServiceLimits.self, except: ["hierarchy"])
        Self.check(HierarchyLimits.self)
        Self.check(JSONLimits.self, prefix: "json")
    }

    private static func check<Table: LimitTable>(
        _ table: Table.Type, except: [String] = [], prefix: String = ""
    ) {
        let labels = Mirror(reflecting: Table()).children.compactMap(\.label)
            .filter { !except.contains($0) }
        // Times that are kept in milliseconds are named in seconds.
        func name(of label: String) -> String {
            let name = label.replacingOccurrences(of: "Milliseconds", with: "Seconds")
            return prefix.isEmpty ? name : prefix + name.prefix(1).uppercased() + name.dropFirst()
        }
        #expect(Set(labels.map(name(of:))) == Set(Table.all.map(\.name.description)))
        #expect(labels.count == Table.all.count)
        for limit in Table.all {
            #expect(Table.entry(of: limit.property).name.description == limit.name.description)
            for value in limit.bounds.map({ [$0.lowerBound, $0.upperBound] }) ?? [1] {
                var changed = Table()
                limit.set(&changed, value)
                #expect(limit.get(changed) == value, "\(limit.name)")
                let stored = Mirror(reflecting: changed).children
                    .first { name(of: $0.label ?? "") == limit.name.description }?.value
                #expect(whole(stored) == value, "\(limit.name)")
            }
        }
    }

    private static func whole(_ value: Any?) -> Int? {
        switch value {
        case let value as Int: value
        case let value as Double: Int(value)
        case let value as Int64: Int(value / 1_000)
        default: nil
        }
    }

    @Test("give each limit one name, and defaults that may be asked for")
    func names() {
        let defaults = AllLimits()
        let names = AllLimits.all.map(\.settingName)
        #expect(Set(names).count == names.count)
        for limit in AllLimits.all {
            let value = limit.get(defaults)
            #expect(limit.bounds?.contains(value) != false || value == .max, "\(limit.name)")
            #expect(limit.help.hasSuffix("."), "\(limit.name)")
        }
    }

    @Test("stay within what the engine's numbers hold")
    func engine() {
        for edge in [\ClosedRange<Int>.lowerBound, \ClosedRange<Int>.upperBound] {
            var limits = HierarchyLimits()
            #expect(limits.bounded == limits)
            for limit in HierarchyLimits.all {
                if let bounds = limit.bounds { limit.set(&limits, bounds[keyPath: edge]) }
            }
            #expect(limits.bounded == limits)
        }
    }

    @Test("say with which status and code a request is refused, as the interface lists them")
    func refusals() {
        for limit in AllLimits.all {
            guard case .refused(let status, let code) = limit.beyond else { continue }
            let problem = Problem(WireError(status: status, code: code, detail: ""))
            #expect(problem.status == problem.code.status, "\(limit.name)")
        }
    }

    // MARK: - What names limits

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func sources(_ modules: [String]) throws -> [(name: String, text: String)] {
        try modules.flatMap { module in
            let folder = root.appendingPathComponent("Sources/\(module)")
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            return try names.filter { $0.hasSuffix(".swift") }.map { name in
                let url = folder.appendingPathComponent(name)
                return ("\(module)/\(name)", try String(contentsOf: url, encoding: .utf8))
            }
        }
    }

    @Test("have every limit that the sources name in a text")
    func named() throws {
        let known = Set(AllLimits.all.map(\.name.description))
        var found = Set<String>()
        for source in try Self.sources([
            "HTTPWire", "HTTPServer", "TraitEngine", "TraitSessions", "TraitService",
        ]) {
            let quoted = source.text.matches(of: #/"([a-z][A-Za-z]*(?:Max|Min))"/#).map(\.1)
            let told = source.text.matches(of: #/([a-z][A-Za-z]*(?:Max|Min))=\\\(/#).map(\.1)
            for name in (quoted + told).map(String.init) {
                #expect(known.contains(name), "\(source.name)")
                found.insert(name)
            }
        }
        #expect(found.count > 30)
    }

    @Test("agree with the code of each refusal in the service")
    func codes() throws {
        let pattern = #/\.limit\(\s*\.(\w+),[^{}]*?name: "(\w+)", value:/#
        var count = 0
        for source in try Self.sources(["TraitService", "TraitSessions"]) {
            for match in source.text.matches(of: pattern) {
                let limit = AllLimits.all.first { $0.name.description == match.2 }
                let code = ProblemCode.allCases.first { "\($0)" == match.1 }
                guard let limit, let code, case .refused(let status, let listed) = limit.beyond
                else {
                    Issue.record("\(source.name): \(match.0)")
                    continue
                }
                #expect(listed.description == code.rawValue, "\(limit.name)")
                #expect(status == code.status, "\(limit.name)")
                count += 1
            }
        }
        #expect(count >= 5)
    }

    // MARK: - What documents list

    @Test("are what docs/limits.md lists")
    func documented() throws {
        let url = Self.root.appendingPathComponent("docs/limits.md")
        let page = try String(contentsOf: url, encoding: .utf8)
        let start = try #require(page.range(of: "<!-- limits: "))
        let open = try #require(page.range(of: "-->\n", range: start.upperBound..<page.endIndex))
        let close = try #require(page.range(of: "<!-- end of limits -->"))
        let text = page[..<open.upperBound] + "\n" + Self.tables + "\n" + page[close.lowerBound...]
        GoldenFile(at: url).verify(String(text))
    }

    private static var tables: String {
        let defaults = AllLimits()
        let head = "| default | what it limits | beyond it |\n|---|---|---|---|\n"
        func rows(_ isSettable: Bool) -> String {
            AllLimits.all.filter { ($0.bounds != nil) == isSettable }.map { limit in
                let name = isSettable ? limit.settingName : limit.name.description
                let range = limit.bounds.map {
                    " (\(plain($0.lowerBound)) – \(plain($0.upperBound)))"
                }
                let isBytes = limit.settingName.contains(#/-bytes(-max|-min)?$/#)
                let value = amount(limit.get(defaults), isBytes: isBytes)
                return "| `\(name)` | \(value)\(range ?? "") "
                    + "| \(limit.help) | \(consequence(of: limit)) |\n"
            }.joined()
        }
        return
            "| `--limit` \(head)\(rows(true))\nThe others are constants:\n\n| limit \(head)\(rows(false))"
    }

    private static func consequence(of limit: Limit<AllLimits>) -> String {
        switch limit.beyond {
        case .effect(let words): return words.description
        case .refused(let status, let code):
            let problem = Problem(WireError(status: status, code: code, detail: ""))
            return "\(status) `\(problem.code.rawValue)`"
        }
    }

    private static func amount(_ value: Int, isBytes: Bool) -> String {
        if value == .max { return "none" }
        let isRound = isBytes && value >= 1_048_576 && value % 1_048_576 == 0
        return isRound ? "\(value / 1_048_576) MiB" : plain(value)
    }

    /// Digits in groups of three.
    private static func plain(_ value: Int) -> String {
        var text = ""
        for (position, digit) in String(value).reversed().enumerated() {
            if position > 0, position % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
