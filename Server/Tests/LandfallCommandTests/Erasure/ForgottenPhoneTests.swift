// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import Testing

extension RealProcessTests {
    @Suite("landfall forget, and the erased person's phone", .timeLimit(.minutes(1)))
    struct ForgottenPhoneTests {
        @Test("The phone gets 410 and continues as a new, unknown install")
        func forgotten() async throws {
            try await ServingProcess.withFolder { parent in
                let data = parent.appending(path: "data")
                let server = try await ServingProcess.start(in: data)
                let phone = RealPhone(in: parent.appending(path: "phone"))
                let before = try await phone.launch(server.port) { client in
                    try client.setAttributes(["called": .string("Maya")])
                    return try await client.profile { $0.version > 1 && $0.customAttributes["called"] != nil }
                }
                #expect(!phone.answers.statuses.contains(410))

                let command = try RunningCommand(
                    ["forget", "--install", before.installID.rawValue, "--data", data.path, "--json"])
                let ending = await command.ending(within: .seconds(30))
                let after = try await phone.launch(server.port) { client in
                    try await client.profile { $0.installID != before.installID && $0.version > 0 }
                }
                try await server.ends()

                #expect(ending.status == 0, "\(ending.errors)")
                let printed = await command.lines.reduce(into: "") { $0 += $1 }
                let answer = try #require(try JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any])
                #expect(answer["installs"] as? Int == 1)
                #expect(answer["profiles"] as? Int == 1)
                #expect(phone.answers.statuses.contains(410))
                #expect(after.id != before.id)
                #expect(after.customAttributes.isEmpty)
                let truth = try StoredTruth(in: data)
                #expect(try await truth.attributes(of: before.installID.rawValue) == [])
                #expect(try await truth.attributes(of: after.installID.rawValue).allSatisfy { $0 == "{}" })
            }
        }
    }
}
