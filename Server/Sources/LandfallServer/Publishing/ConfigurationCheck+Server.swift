// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallWire

extension ConfigurationCheck {
    /// The answer of a server, which knows its own secrets and installs.
    package init(file: String, answer: PublishingAnswer) {
        self.init(file: file, problems: [], warnings: answer.warnings)
    }

    /// - Returns: nil if the refusal is not about the file's contents.
    package init?(file: String, refusal: BackendRefusal) {
        struct Details: Decodable { let problems, warnings: [ConfigurationRemark] }
        guard refusal.code == ErrorCode.configurationInvalid.rawValue,
            let details = try? WireCoding.decode(Details.self, from: Data(refusal.document))
        else { return nil }
        self.init(file: file, problems: details.problems, warnings: details.warnings)
    }
}
