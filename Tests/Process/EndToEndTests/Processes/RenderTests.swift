// `traitd render`: prints the hierarchy of a file as a tree, and the effect of a change.

import Foundation
import TestSupport
import Testing

@Suite("traitd render")
struct RenderTests {
    private static let session = """
        {"format": 1, "name": "mail", "traits": {
            "theme": {"type": "enum", "cases": {"standard": 0, "bold": 2}, "default": "standard"}},
          "nodes": [
            {"id": "scene", "kind": "windowScene", "parent": null, "label": "main scene",
             "supplied": {"userInterfaceStyle": "light", "displayScale": 2}},
            {"id": "window", "kind": "window", "parent": "scene", "overrides": {"theme": "bold"}},
            {"id": "inbox", "kind": "viewController", "parent": "window"},
            {"id": "inbox.view", "kind": "view", "parent": "window", "controller": "inbox", "traitParent": "inbox"},
            {"id": "label", "kind": "view", "parent": "inbox.view"},
            {"id": "badge", "kind": "view", "parent": "inbox.view",
             "overrides": {"userInterfaceStyle": "dark"}}],
          "registrations": [{"id": "colors", "node": "label", "traits": ["userInterfaceStyle"]}]}
        """

    private func render(
        _ arguments: String..., session: String = RenderTests.session
    ) throws -> (exit: ChildProcess.Exit, out: String, error: String) {
        try withTemporaryFile(session) { try TraitdProcess.run(["render", $0] + arguments) }
    }

    @Test("The tree shows where values are set")
    func tree() throws {
        let run = try render()
        #expect(run.exit == .code(0), "\(run.error)")
        GoldenFile("render-tree", of: "Process/EndToEndTests").verify(run.out)
    }

    @Test("Standard input and gzip are read as a file is")
    func inputs() throws {
        let plain = try render()
        try withTemporaryFile(Self.session) { path in
            let binary = TraitdProcess.binary
            for command in [
                "cat \(path) | \(binary) render -", "gzip -c \(path) | \(binary) render -",
                "gzip -c \(path) > \(path).gz && \(binary) render \(path).gz && rm \(path).gz",
            ] {
                let child = try ChildProcess("/bin/sh", ["-c", command])
                #expect(try child.waitForExit() == .code(0), "\(command): \(child.standardError)")
                #expect(child.standardOutput == plain.out)
            }
            let cut = try ChildProcess(
                "/bin/sh", ["-c", "gzip -c \(path) | head -c 90 | \(binary) render -"])
            #expect(try cut.waitForExit() == .code(65))
            #expect(cut.standardError.contains("standard input"), "\(cut.standardError)")
        }
    }

    @Test("Variants are printed as lines or as an array, after a change")
    func variants() throws {
        let body = #"""
            {"nodes": ["label"], "reads": "recorded", "distinct": true, "axes": [
              {"name": "style", "trait": "userInterfaceStyle", "at": "scene"},
              {"name": "scale", "trait": "displayScale", "at": "scene", "cases": [2, 3]}]}
            """#
        try withTemporaryFile(body) { path in
            let run = try render("--variants", path)
            #expect(run.exit == .code(0), "\(run.error)")
            let lines = run.out.split(separator: "\n")
            #expect(lines.count == 4)
            #expect(lines.last == #"{"end":true,"rows":2,"combinations":4}"#)
            let array = try render("--variants", path, "--json")
            let rows = try lines.dropFirst().dropLast().map { try JSON(parsing: String($0)) }
            #expect(try JSON(parsing: array.out).array == rows)
            let changed = try render(
                "--variants", path, "--json", "--set", "inbox/userInterfaceStyle=dark")
            #expect(try JSON(parsing: changed.out).array?.count == 1)
            #expect(try render("--variants", path, "--node", "label").exit == .code(64))
        }
        try withTemporaryFile(body.replacingOccurrences(of: "label", with: "none")) { path in
            let run = try render("--variants", path)
            #expect(run.exit == .code(65))
            #expect(run.error.contains("'none'"), "\(run.error)")
        }
    }

    @Test("Named traits are shown at every node, with their sources")
    func named() throws {
        let run = try render("--traits", "theme,userInterfaceStyle", "--node", "inbox")
        #expect(run.exit == .code(0), "\(run.error)")
        GoldenFile("render-traits", of: "Process/EndToEndTests").verify(run.out)
    }

    @Test("A change shows both values, the number of changed nodes, and the notified registrations")
    func change() throws {
        let run = try render("--set", "scene/userInterfaceStyle=dark", "--remove", "window/theme")
        #expect(run.exit == .code(0), "\(run.error)")
        GoldenFile("render-change", of: "Process/EndToEndTests").verify(run.out)
    }

    @Test("With --exit-code a change that alters a value ends with 1, any other with 0")
    func exitCode() throws {
        #expect(try render("--set", "scene/theme=bold", "--exit-code").exit == .code(1))
        #expect(try render("--set", "window/theme=bold", "--exit-code").exit == .code(0))
        // The override of the window hides the scene's value from the label.
        let shielded = try render(
            "--set", "scene/theme=bold", "--exit-code", "--node", "label", "--traits", "theme")
        #expect(shielded.exit == .code(0), "\(shielded.out)")
        #expect(try render("--exit-code").exit == .code(64))
    }

    @Test("--json prints the answers of a server to the same requests")
    func json() throws {
        let body = """
            "traits": {"theme": {"type": "enum", "cases": {"standard": 0, "bold": 2},
                "default": "standard"}},
            "nodes": [
                {"id": "scene", "kind": "windowScene", "parent": null},
                {"id": "window", "kind": "window", "parent": "scene", "overrides": {"theme": "bold"}},
                {"id": "label", "kind": "view", "parent": "window"}]}
            """
        let run = try render(
            "--json", "--traits", "theme", "--set", "window/theme=standard",
            session: #"{"name": "mail", "# + body)
        #expect(run.exit == .code(0), "\(run.error)")
        let server = try TraitdProcess([])
        let client = try HTTPClient(server.url)
        let session = "/v1/sessions/mail"
        let made = try client.send(HTTPRequest("PUT", session, text: "{" + body))
        #expect(made.status == 201, "\(made.text)")
        let operation =
            #"{"op":"setOverride","node":"window","trait":"theme","value":"standard"}"#
        let write = try client.send(
            HTTPRequest(
                "POST", "\(session)/transactions?changes=true",
                text: "{\"operations\":[\(operation)]}"))
        #expect(write.status == 200, "\(write.text)")
        let lines = run.out.split(separator: "\n").map { "\($0)\n" }
        #expect(lines.count == 4)
        for (node, line) in zip(["scene", "window", "label"], lines) {
            let answer = try client.get("\(session)/nodes/\(node)/traits?traits=theme&explain=true")
            #expect(answer.text == line)
        }
        // Each session has a uid of its own.
        let bare = { (text: String) in text.replacing(#/"uid":"[a-z0-9]{12}"/#, with: "") }
        #expect(lines.last.map(bare) == bare(write.text))
    }

    @Test("A change from a file is the body of a transaction, made after the others")
    func changeFile() throws {
        let body = #"{"operations":[{"op":"deleteNode","node":"badge"}]}"#
        let run = try withTemporaryFile(body) { path in
            try render("--set", "badge/theme=standard", "--change", path)
        }
        #expect(run.exit == .code(0), "\(run.error)")
        #expect(!run.out.contains("badge"))
        #expect(run.out.hasSuffix("\n0 of 5 nodes change, 1 go\n"), "\(run.out)")
    }

    @Test("A change may define traits and delete them")
    func definitions() throws {
        let body = """
            {"operations": [
                {"op": "removeOverride", "node": "window", "trait": "theme"},
                {"op": "deleteTrait", "trait": "theme"},
                {"op": "defineTrait", "trait": "density", "definition": {"type": "int", "default": 1}},
                {"op": "setOverride", "node": "window", "trait": "density", "value": 2}]}
            """
        for arguments in [[], ["--json"], ["--traits", "theme"]] {
            let run = try withTemporaryFile(body) { change in
                try withTemporaryFile(Self.session) {
                    try TraitdProcess.run(["render", $0, "--change", change] + arguments)
                }
            }
            #expect(run.exit == .code(0), "\(run.error)")
            #expect(run.out.contains("density") == (arguments != ["--traits", "theme"]))
            #expect(!run.out.contains("theme"))
        }
    }

    @Test("A chain of a thousand nodes is printed with bounded indentation")
    func deep() throws {
        let nodes = (0..<1_000).map { number in
            let parent = number == 0 ? "null" : "\"n\(number - 1)\""
            return #"{"id":"n\#(number)","kind":"environment","parent":\#(parent)}"#
        }
        let run = try render(
            session: #"{"name":"chain","nodes":["# + nodes.joined(separator: ",") + "]}")
        #expect(run.exit == .code(0), "\(run.error)")
        let lines = run.out.split(separator: "\n")
        #expect(lines.count == 1_000)
        #expect(lines.last?.hasSuffix("└─ n999  environment") == true)
        #expect(lines.allSatisfy { $0.count < 150 })
    }

    @Test("Each fault has a message with its place, and an exit status")
    func refusals() throws {
        let value = try render("--set", "scene/theme=loud")
        #expect(value.exit == .code(65))
        #expect(value.error.contains("/operations/0"), "\(value.error)")
        #expect(value.error.contains("standard, bold"), "\(value.error)")
        #expect(value.out.isEmpty)
        let trait = try render("--traits", "them")
        #expect(trait.exit == .code(65))
        #expect(trait.error.contains("'them'"), "\(trait.error)")
        let node = try render("--node", "outbox")
        #expect(node.exit == .code(65))
        #expect(node.error.contains("'outbox'"), "\(node.error)")
        let file = try render(session: #"{"name": "mail", "nodes": 3}"#)
        #expect(file.exit == .code(65))
        #expect(file.error.contains("/nodes"), "\(file.error)")
        #expect(try render(session: "{").exit == .code(65))
        let missing = try TraitdProcess.run(["render", "/nowhere/session.json"])
        #expect(missing.exit == .code(66))
        #expect(try render("--set", "scene").exit == .code(64))
        #expect(try render("--remove", "theme").exit == .code(64))
    }
}
