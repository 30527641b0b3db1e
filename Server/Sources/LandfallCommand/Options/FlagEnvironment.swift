// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation

/// The environment variables of options that the command line does not contain: `LANDFALL_…`.
struct FlagEnvironment {
    private let variables: [String: String]

    init(_ variables: [String: String] = ProcessInfo.processInfo.environment) { self.variables = variables }

    /// nil if the variable is absent or empty.
    func text(_ flag: String) -> String? {
        let value = variables[Self.variable(flag)]
        return value?.isEmpty == true ? nil : value
    }

    /// - Throws: a sentence that names the variable, if it is not a whole number.
    func number(_ flag: String) throws -> Int? {
        guard let text = text(flag) else { return nil }
        guard let number = Int(text) else {
            throw ValidationError("\(Self.variable(flag)) is '\(text)'; it has to be a whole number.")
        }
        return number
    }

    /// - Throws: a sentence that names the variable, if it is neither yes nor no.
    func isOn(_ flag: String) throws -> Bool {
        switch text(flag)?.lowercased() {
        case nil, "0", "false", "no": return false
        case "1", "true", "yes": return true
        case let other?: throw ValidationError("\(Self.variable(flag)) is '\(other)'; use 1 or 0.")
        }
    }

    /// The variable of an option: `apple-ads` is `LANDFALL_APPLE_ADS`.
    static func variable(_ flag: String) -> String {
        "LANDFALL_" + flag.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }
}
