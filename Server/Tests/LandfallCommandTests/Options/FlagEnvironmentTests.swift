// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Testing

@testable import LandfallCommand

@Suite("The environment of options", .timeLimit(.minutes(1)))
struct FlagEnvironmentTests {
    @Test(
        "gives an option the value of its variable",
        arguments: [("port", "LANDFALL_PORT"), ("apple-ads", "LANDFALL_APPLE_ADS")]
    )
    func variable(flag: String, name: String) {
        let environment = environment([name: "8081"])

        #expect(environment.text(flag) == "8081")
        #expect(FlagEnvironment.variable(flag) == name)
    }

    @Test("treats an empty variable as absent")
    func empty() throws {
        let environment = environment(["LANDFALL_PORT": ""])

        #expect(environment.text("port") == nil)
        #expect(try environment.number("port") == nil)
    }

    @Test("names a variable that is not a number")
    func notANumber() {
        let error = #expect(throws: ValidationError.self) { try environment(["LANDFALL_PORT": "http"]).number("port") }

        #expect(error?.message == "LANDFALL_PORT is 'http'; it has to be a whole number.")
    }

    @Test(
        "reads yes and no in the usual spellings",
        arguments: [("1", true), ("true", true), ("YES", true), ("0", false), ("false", false), ("no", false), ("", false)]
    )
    func yesOrNo(text: String, expected: Bool) throws {
        #expect(try environment(["LANDFALL_JSON": text]).isOn("json") == expected)
    }

    @Test("refuses any other word")
    func otherWord() {
        #expect(throws: ValidationError.self) { try environment(["LANDFALL_JSON": "perhaps"]).isOn("json") }
    }

    private func environment(_ variables: [String: String]) -> FlagEnvironment {
        FlagEnvironment(variables)
    }
}
