// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

/// Small configurations that tests extend with what they are about.
enum Sample {
    /// Nine lines; what is added begins in line 10.
    static let base = """
        app:
          id: sample
          bundleId: com.example.sample
        keys:
          - sdk: pk_sample
        paywalls:
          default: { products: [yearly] }
          special: { products: [monthly] }
        placements: { home: [{ audience: everyone, paywall: default }] }

        """

    static func configuration(_ addition: String = "", environment: [String: String] = [:]) throws -> Configuration {
        try Configuration(yaml: base + addition, environment: { environment[$0] })
    }

    /// The problems as `line:column: message`; empty for a configuration that can be served.
    static func problems(_ yaml: String, environment: [String: String] = [:]) -> [String] {
        do {
            _ = try Configuration(yaml: yaml, environment: { environment[$0] })
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    static func problems(adding addition: String, environment: [String: String] = [:]) -> [String] {
        problems(base + addition, environment: environment)
    }

    static func warnings(adding addition: String) -> [ConfigurationProblem] {
        ReadConfiguration(yaml: base + addition, secrets: SecretEnvironment { _ in nil }).warnings
    }

    /// A condition as the file writes it.
    static func condition(_ yaml: String, attributes: String = "{}") throws -> Condition {
        let configuration = try configuration("attributes: \(attributes)\naudiences:\n  those: \(yaml)\n")
        return try #require(configuration.audiences.first).condition
    }

    /// The repository's root.
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../..").standardizedFileURL

    static func file(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}

extension ConfigurationStore {
    /// As the file of a server that owns the configuration.
    func publish(_ text: String, nowMs: Int64) async throws -> Int64? {
        let publication = try await publishFile(text, isOwner: true, nowMs: nowMs)
        return if case .newest(let number) = publication { number } else { nil }
    }
}
