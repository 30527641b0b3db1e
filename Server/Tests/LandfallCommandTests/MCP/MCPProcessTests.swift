// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

extension RealProcessTests {
    @Suite("landfall mcp beside a server", .timeLimit(.minutes(2)))
    struct MCPProcessTests {
        private static let changed: JSONValue = .string(
            MCPProcess.configuration.replacing("everyone, paywall: default", with: "everyone, paywall: special"))
        private static let sentence = "placement onboarding: everyone now sees paywall special instead of paywall default"

        @Test("reads, checks, compares and counts, each answer as text and as JSON; the end of the input ends it with 0")
        func reading() async throws {
            try await MCPProcess.beside { mcp in
                let ended = try await mcp.talk([
                    #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, try MCPProcess.call("read", "read_configuration"),
                    try MCPProcess.call("versions", "list_versions"), try MCPProcess.call("check", "check_configuration", ["yaml": Self.changed]),
                    try MCPProcess.call("wrong", "check_configuration", ["yaml": "app: {}\nnonsense: 1"]),
                    try MCPProcess.call("diff", "diff_configuration", ["yaml": Self.changed]),
                    try MCPProcess.call("impact", "measure_impact", ["yaml": Self.changed]),
                    try MCPProcess.call("experiments", "list_experiments"), try MCPProcess.call("revenue", "revenue"),
                    try MCPProcess.call("results", "experiment_results", ["experiment": "price"]),
                ] + ["campaigns", "funnel", "links", "overview", "paywalls", "retention"].map {
                    try MCPProcess.call(.string($0), "report", ["report": .string($0)])
                })

                #expect(ended.status == 0)
                #expect(ended.errors == "")
                #expect(ended.answers.count == 16)
                #expect(ended.text("read") == "This is version 1.")
                #expect(ended.result("read")?["content"]?[1]?["text"]?.string == MCPProcess.configuration)
                #expect(ended.result("versions")?["structuredContent"]?["versions"]?[0]?["version"] == 1)
                #expect(ended.result("check")?["structuredContent"]?["ok"] == true)
                #expect(ended.result("wrong")?["structuredContent"]?["ok"] == false)
                #expect(ended.text("wrong").contains("nonsense"))
                #expect(ended.text("diff") == Self.sentence)
                #expect(ended.result("diff")?["structuredContent"]?["version"] == .null)
                #expect(ended.result("impact")?["structuredContent"]?["sampled"] == 0)
                #expect(ended.result("experiments")?["structuredContent"]?["experiments"]?[0]?["experiment"] == "price")
                #expect(ended.result("revenue")?["structuredContent"]?["view"] == "purchase")
                #expect(ended.result("results")?["structuredContent"]?["experiment"] == "price")
                for report in ["campaigns", "funnel", "links", "overview", "paywalls", "retention"] {
                    #expect(ended.result(.string(report))?["structuredContent"]?["report"] == .string(report))
                }
            }
        }

        @Test("makes a link, lists it and shows it; the same link again is no error, another one at its address is")
        func links() async throws {
            try await MCPProcess.beside { mcp in
                let link: JSONValue = ["to": "example://beach", "suffix": "beach", "campaign": "spring", "tags": ["a"]]
                let made = try await mcp.talk([try MCPProcess.call(1, "create_link", link)])
                let next = try await mcp.talk([
                    try MCPProcess.call(1, "create_link", link), try MCPProcess.call(2, "create_link", ["to": "example://hill", "suffix": "beach"]),
                    try MCPProcess.call(3, "list_links", ["campaign": "spring"]), try MCPProcess.call(4, "list_links", ["query": "hill"]),
                    try MCPProcess.call(5, "show_link", ["url": "links.example.com/beach"]),
                    try MCPProcess.call(6, "show_link", ["url": "links.example.com/none"]), try MCPProcess.call(7, "show_link", ["url": "x"]),
                ])

                #expect(made.text(1) == "https://links.example.com/beach")
                #expect(made.result(1)?["structuredContent"]?["status"] == "made")
                #expect(next.result(1)?["structuredContent"]?["status"] == "unchanged")
                #expect(next[2]?["result"]?["isError"] == true)
                #expect(next.text(3) == "https://links.example.com/beach -> example://beach live campaign=spring tags=a")
                #expect(next.text(4) == "No link matches on this page.")
                #expect(next.result(5)?["structuredContent"]?["campaign"] == "spring")
                #expect(next[6]?["result"]?["isError"] == true)
                #expect(next[7]?["result"]?["isError"] == true)
            }
        }

        @Test("publishes only with the flag, and only over the expected version")
        func publishing() async throws {
            try await MCPProcess.beside { mcp in
                let order: JSONValue = ["yaml": Self.changed, "message": "For all", "expectedVersion": 1]
                let list = #"{"jsonrpc":"2.0","id":"list","method":"tools/list"}"#
                let without = try await mcp.talk([list, try MCPProcess.call(1, "publish_configuration", order)])
                let with = try await mcp.talk([list, try MCPProcess.call(1, "publish_configuration", order)], "--allow-publishing")
                let stale = try await mcp.talk([
                    try MCPProcess.call(1, "publish_configuration", order), try MCPProcess.call(2, "list_versions"),
                ], "--allow-publishing")

                #expect(without["list"]?["result"]?["tools"]?.array?.contains { $0["name"] == "publish_configuration" } == false)
                #expect(without[1]?["error"]?["code"] == -32602)
                #expect(without[1]?["error"]?["message"]?.string?.contains("--allow-publishing") == true)
                #expect(with["list"]?["result"]?["tools"]?.array?.contains { $0["name"] == "publish_configuration" } == true)
                #expect(with.result(1)?["structuredContent"]?["version"] == 2)
                #expect(with.text(1).hasSuffix("Version 2 is published."))
                #expect(stale[1]?["result"]?["isError"] == true)
                #expect(stale[1]?["result"]?["structuredContent"]?["error"]?["code"] == "configuration_stale")
                #expect(stale.result(2)?["structuredContent"]?["versions"]?.array?.count == 2)
                #expect(stale.result(2)?["structuredContent"]?["versions"]?[0]?["message"] == "For all")
            }
        }

        @Test("goes on after broken lines, a line of ten million bytes and wrong arguments")
        func badInput() async throws {
            try await MCPProcess.beside { mcp in
                let ended = try await mcp.talk([
                    "not JSON", "\u{0}", String(repeating: "x", count: 10_000_000), "", String(repeating: "[", count: 100_000),
                    try MCPProcess.call(1, "nothing"), try MCPProcess.call(2, "report", ["report": 7]),
                    try MCPProcess.call(3, "experiment_results", ["experiment": "../links"]), try MCPProcess.call(4, "explain", ["placement": "onboarding"]),
                    try MCPProcess.call(5, "explain", ["install": "nobody", "placement": "onboarding"]), #"{"jsonrpc":"2.0","id":6,"method":"ping"}"#,
                ])

                #expect(ended.status == 0)
                #expect(ended.answers.count { $0["id"] == .null } == 4)
                #expect(ended[1]?["error"]?["code"] == -32602)
                for id in 2...5 { #expect(ended[.integer(Int64(id))]?["result"]?["isError"] == true) }
                #expect(ended[6]?["result"] == [:])
            }
        }

        @Test("has the rights of its key, and says when the server does not answer")
        func rights() async throws {
            try await MCPProcess.beside { mcp in
                let lines = [try MCPProcess.call(1, "list_links"), try MCPProcess.call(2, "read_configuration")]
                let few = try await mcp.talk(lines, "--allow-publishing", key: MCPProcess.linkKey)
                let none = try await mcp.talk(lines, key: "sk_" + String(repeating: "x", count: 32))
                let nobody = try await mcp.talk(lines, port: 9)

                #expect(few.result(1) != nil)
                #expect(few[2]?["result"]?["structuredContent"]?["error"]?["code"] == "scope_missing")
                #expect(none[1]?["result"]?["isError"] == true)
                #expect(nobody.status == 0)
                #expect(nobody.text(1).contains("did not answer"))
                #expect(!nobody.text(1).contains(MCPProcess.key))
            }
        }
    }
}
