// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSimulator

/// What to try by hand while the demo's server runs.
struct Invitation {
    let server: String

    var lines: [String] {
        let install = UUID().uuidString.lowercased()
        let secret = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        let token = "sim.attribution=true&delay=1500&id=\(install.prefix(8))"
        return [
            " The server goes on until Ctrl-C. Be a phone: Apple answers after 1.5 s, and the stream says so.",
            "",
            "   me=\(install).\(secret)",
            "   curl -N \(server)/v1/first-open -H 'Authorization: Bearer \(DemoRun.sdkKey)' \\",
            "     -H \"Landfall-Profile: $me\" -d '{\"placements\": [{\"id\": \"\(DemoRun.placement)\"}],",
            "     \"holdMilliseconds\": 10000, \"adToken\": {\"value\": \"\(token)\"}}'",
        ]
    }
}
