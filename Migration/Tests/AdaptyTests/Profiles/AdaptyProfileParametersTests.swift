// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Landfall
import Testing

@Suite("Profile parameters", .timeLimit(.minutes(1)))
struct AdaptyProfileParametersTests {
    private let builder = AdaptyProfileParameters.Builder()

    @Test("Keys of 1 to 30 allowed characters are accepted", arguments: ["a", "A-z_0.9", String(repeating: "k", count: 30)])
    func keys(_ key: String) throws {
        try builder.with(customAttribute: "pro", forKey: key)

        #expect(builder.build().customAttributes == [key: .string("pro")])
    }

    @Test("Other keys are refused with 3001", arguments: ["", "a b", "ключ", "a/b", String(repeating: "k", count: 31)])
    func badKeys(_ key: String) {
        let error = #expect(throws: AdaptyError.self) { try builder.with(customAttribute: "pro", forKey: key) }

        #expect(error?.adaptyErrorCode == .wrongParam)
        #expect(builder.build().customAttributes.isEmpty)
    }

    @Test("Text has at most 50 characters")
    func textLimit() throws {
        try builder.with(customAttribute: String(repeating: "é", count: 50), forKey: "plan")

        #expect(throws: AdaptyError.self) {
            try builder.with(customAttribute: String(repeating: "é", count: 51), forKey: "plan")
        }
    }

    @Test("Numbers are finite", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(_ number: Double) {
        #expect(throws: AdaptyError.self) { try builder.with(customAttribute: number, forKey: "seats") }
    }

    @Test("The 31st attribute is refused; changing one of 30 is not")
    func countLimit() throws {
        for index in 1...30 { try builder.with(customAttribute: "x", forKey: "key\(index)") }
        try builder.with(customAttribute: "y", forKey: "key1")

        #expect(throws: AdaptyError.self) { try builder.with(customAttribute: "x", forKey: "key31") }
        #expect(builder.build().customAttributes.count == 30)
    }

    @Test("A removed attribute is reported as removed")
    func removal() throws {
        try builder.withRemoved(customAttributeForKey: "trial")

        #expect(builder.build().customAttributes == ["trial": nil])
    }
}
