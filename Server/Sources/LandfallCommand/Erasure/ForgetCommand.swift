// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallServer
import LandfallWire

/// `landfall forget`.
struct ForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Erases a person: a profile, a customer or an install, and all that belongs to it.",
        discussion: """
            A profile is erased with all its installs, a customer with all profiles of that id, an install with its profile if no \
            other install has that profile. Counts of clicks and of money stay. This cannot be undone. Repeating it is not an error: then nothing is \
            deleted. Works at --server with a key that may erase, else in the folder of the store.
            """
    )

    @Option(help: "The id of a profile.")
    var profile: String?

    @Option(help: "The id of a customer, as the app or the team's backend says it.")
    var customer: String?

    @Option(help: "The id of an install.")
    var install: String?

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard [profile, customer, install].compactMap({ $0 }).count == 1 else {
            throw ValidationError("Name one person: --profile ID, --customer ID or --install ID.")
        }
    }

    func run() async throws {
        let order = ["profileId": profile, "customerId": customer, "installId": install].compactMapValues { $0 }
        let call = try BackendCall("POST", "/v1/erasures", json: order)
        let answer = try await store.withReach { try await $0.call(call) }
        let erasure = try JSONDecoder().decode(ErasureAnswer.self, from: Data(answer))
        if store.json { try store.printJSON(erasure) } else { Output.line(Self.text(of: erasure)) }
    }

    static func text(of erasure: ErasureAnswer) -> String {
        let rows = erasure.rows.values.reduce(0, +)
        let rest = erasure.isGoingOn == true ? " There is more; the server goes on with it." : ""
        guard erasure.profiles + erasure.installs + rows > 0 else { return "Nothing is stored of that person." + rest }
        return "\(erasure.profiles) profile(s), \(erasure.installs) install(s), \(rows) row(s) erased." + rest
    }
}
