// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallRules

@Suite("The section signIn", .timeLimit(.minutes(1)))
struct SignInReadingTests {
    private static let base = "issuer: https://login.example.com, clientId: landfall, domains: [Example.com]"

    @Test("reads provider, domains and the roles of groups; passwords are allowed unless it says otherwise")
    func whole() throws {
        let rules = try Sample.configuration(
            "signIn: { passwords: false, openId: { \(Self.base), clientSecretFrom: LANDFALL_OPENID_SECRET, groupsClaim: 'https://x/groups', roles: { a: owner, b: viewer } } }",
            environment: ["LANDFALL_OPENID_SECRET": "s"]
        ).signIn

        #expect(!rules.allowsPasswords && rules.openID?.secret?.text == "s" && rules.openID?.domains == ["example.com"])
        #expect(rules.openID?.groups == GroupRules(claim: "https://x/groups", roles: ["a": .owner, "b": .viewer]))
        #expect(rules.openID?.groups?.role(of: ["b", "a", "c"]) == .owner && rules.openID?.groups?.role(of: ["A"]) == nil)
        #expect(try Sample.configuration().signIn == SignInRules())
        #expect("\(rules)".contains("login.example") == false)
    }

    @Test(
        "says what is wrong",
        arguments: [
            ("{ passwords: false }", "nobody can sign in"), ("{ openId: { issuer: https://a.example } }", "needs 'clientId'"),
            ("{ openId: { issuer: http://a.example, clientId: a, domains: [a.example] } }", "'issuer' cannot be"),
            ("{ openId: { issuer: 'https://a.example?x', clientId: a, domains: [a.example] } }", "'issuer' cannot be"),
            ("{ openId: { issuer: https://a.example, clientId: a, domains: [] } }", "nobody may sign in"),
            ("{ openId: { issuer: https://a.example, clientId: a, domains: ['@a.example'] } }", "cannot be '@a.example'"),
            ("{ openId: { issuer: https://a.example, clientId: a, domains: [a.example, A.example] } }", "a second time"),
            ("{ openId: { \(base), roles: { a: boss } } }", "cannot be 'boss'"), ("{ openId: { \(base), roles: {} } }", "0 groups"),
            ("{ openId: { \(base), groupsClaim: g } }", "needs 'roles'"),
            ("{ openId: { \(base), clientSecretFrom: LANDFALL_NONE } }", "is not set"), ("{ openId: { \(base), clientSecretFile: ../a } }", "cannot be called"),
            ("{ openId: { \(base), clientSecretFile: a, clientSecretFrom: LANDFALL_A } }", "both"),
        ])
    func problems(section: String, part: String) {
        let problems = Sample.problems(adding: "signIn: \(section)")

        #expect(problems.contains { $0.contains(part) }, "\(problems)")
    }

    @Test("has the roles of the console, the strongest first, and no server key changes it")
    func roles() {
        #expect(GroupRole.allCases.map(\.rawValue) == Role.allCases.map(\.rawValue))
        #expect(GroupRole.allCases.max() == .owner && GroupRole.allCases.min() == .support)
        #expect(Configuration.protectedSections.contains("signIn"))
    }
}
