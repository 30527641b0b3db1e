// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
@testable import SeedExtractor
import Testing

/// Objective-C, as far as clang can check it without Apple's systems: the headers are of Migration/Tests/ObjectiveC.
@Suite(
    "Objective-C has the right names and types", .timeLimit(.minutes(1)),
    .enabled(if: Clang.isThere, "There is no clang beside the Swift compiler or in PATH."))
struct ObjectiveCTests {
    @Test("An app's calls, written afresh")
    func calls() async throws {
        #expect(try await Clang.problems(in: String(contentsOf: Checkout.objectiveC.appending(path: "Calls.m"), encoding: .utf8)) == "")
    }

    @Test(
        "The document's five blocks, and the two methods that it declares",
        .enabled(if: Checkout.seed("003") != nil, Comment(rawValue: SeedExtractor.absence)))
    func documented() async throws {
        let seed = try String(contentsOf: #require(Checkout.seed("003")), encoding: .utf8)
        let template = try String(contentsOf: Checkout.package.appending(path: "ObjectiveC/Snippets.template"), encoding: .utf8)
        let filled = try SnippetTemplate(text: template).filled(from: seed)
        let lines = seed.components(separatedBy: "\n")
        let declared = lines.indices.filter { lines[$0].hasPrefix("+ (void)") }
            .map { lines[$0].hasSuffix(";") ? lines[$0] : lines[$0] + "\n" + lines[$0 + 1] }

        #expect(declared.count == 2)
        #expect(filled.components(separatedBy: "[Adjust processDeeplink:incomingLink").count - 1 == 6)
        let category = "\n@interface Adjust (Documented)\n\(declared.joined(separator: "\n"))\n@end\n"
        #expect(try await Clang.problems(in: filled + category) == "")
    }

    @Test(
        "The original's imports, and the module itself, give every name",
        arguments: ["#import <Adjust/Adjust.h>", "#import <AdjustSdk/AdjustSdk.h>", "#import <AdjustSdk/Adjust.h>", "@import Adjust;"])
    func imports(_ line: String) async throws {
        let environment = line.hasPrefix("@") ? "@\"sandbox\"" : "ADJEnvironmentSandbox"
        let call = "[Adjust initSdk:[[ADJConfig alloc] initWithAppToken:@\"a\" environment:\(environment) suppressLogLevel:YES]];"

        #expect(try await Clang.problems(in: "\(line)\nvoid call(void) { \(call) }") == "")
    }

    @Test(
        "A name that does not exist, and a completion of another type, are found",
        arguments: ["[Adjust start:nil];", "[Adjust adidWithCompletionHandler:^(int number) {}];"],
        ["Adjust/Adjust.h", "AdjustSdk/AdjustSdk.h"])
    func wrong(_ line: String, _ header: String) async throws {
        let problems = try await Clang.problems(in: "#import <\(header)>\nvoid call(void) { \(line) }")

        #expect(problems.contains("error:"))
    }
}

/// The compiler that comes with Swift's.
enum Clang {
    private static let executable = ((ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init))
        .map { URL(filePath: $0).appending(path: "clang") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) }

    static var isThere: Bool { executable != nil }

    /// - Returns: what clang says; empty if it has read the whole source without a warning.
    static func problems(in source: String) async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-clang-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, log, result) = (folder.appending(path: "a.m"), folder.appending(path: "log"), folder.appending(path: "a.ast"))
        try source.write(to: file, atomically: true, encoding: .utf8)
        let command = try Command(
            #require(executable),
            [
                "-x", "objective-c", "-fblocks", "-fobjc-arc", "-fobjc-runtime=macosx-10.15", "-Wall", "-Werror", "-emit-ast",
                "-fmodules", "-fmodules-cache-path=\(folder.appending(path: "modules").path(percentEncoded: false))",
                // The package's own headers, which import module Adjust; that module and Apple's are stand-ins.
                "-I", Checkout.adjustHeaders.path(percentEncoded: false),
                "-I", Checkout.objectiveC.path(percentEncoded: false), "-o", result.path(percentEncoded: false),
                file.path(percentEncoded: false),
            ], limit: 30, log: log)
        defer { command.stop() }
        await command.end()
        let text = try String(contentsOf: log, encoding: .utf8)
        // It ends by itself, with a result or with a reason.
        let hasResult = FileManager.default.fileExists(atPath: result.path(percentEncoded: false))
        return text.isEmpty && !hasResult ? "clang gave neither a result nor a reason." : text
    }
}
#endif
