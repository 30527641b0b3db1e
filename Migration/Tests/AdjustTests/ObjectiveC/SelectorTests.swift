// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The Objective-C names", .timeLimit(.minutes(1)))
struct SelectorTests {
    private static func header() throws -> HeaderSelectors {
        let file = AdjustNames.package.appending(path: "Tests/ObjectiveC/Adjust/Adjust-Swift.h")
        return try HeaderSelectors(String(contentsOf: file, encoding: .utf8))
    }

    @Test("What the header declares, the Swift source exports under the same selector")
    func declared() throws {
        let header = try Self.header().all
        let missing = header.subtracting(try ExportedSelectors.adjust().all)

        #expect(header.count > 130)
        #expect(missing.sorted() == [])
    }

    @Test("What class Adjust and the delegate export, the header declares")
    func complete() throws {
        let exported = try ExportedSelectors.adjust().all.filter { $0.hasPrefix("Adjust ") || $0.hasPrefix("AdjustDelegate ") }
        let missing = exported.subtracting(try Self.header().all)

        #expect(
            missing.sorted() == [
                // Of no use to an app, or Landfall's own.
                "Adjust checkForNewAttStatus", "Adjust delegate", "Adjust disableCoppaCompliance",
                "Adjust disableCoppaComplianceInDelay", "Adjust enableCoppaCompliance", "Adjust enableCoppaComplianceInDelay",
                "Adjust endFirstSessionDelay", "Adjust sendFirstPackages", "Adjust setDelegate:",
                "Adjust setExternalDeviceIdInDelay:", "Adjust updatePostbackConversionValue:coarseValue:completionHandler:",
                "Adjust updatePostbackConversionValue:coarseValue:lockWindow:completionHandler:",
                "Adjust updatePostbackConversionValue:completionHandler:", "Adjust verifyAndTrack:completionHandler:",
            ])
    }

    @Test("The constants of <Adjust/Adjust.h> are those of the Swift source, with their values")
    func constants() throws {
        let file = AdjustNames.package.appending(path: "Sources/AdjustHeaders/include/Adjust/Adjust.h")
        let header = try String(contentsOf: file, encoding: .utf8)
            .matches(of: /static NSString \*const ([A-Za-z]+) = @"([^"]*)";/).map { "\($0.1) \($0.2)" }
        let sources = try DeclaredNames.files(in: AdjustNames.package.appending(path: "Sources/Adjust"))
            .map { try String(contentsOf: $0, encoding: .utf8) }
        let swift = sources.flatMap { source in
            source.matches(of: /public let (ADJ[A-Za-z]+) = "([^"]*)"/).map { "\($0.1) \($0.2)" }
        }

        #expect(header.sorted() == swift.sorted())
        #expect(header.count == 20)
    }

    @Test("No class has one selector twice")
    func unique() throws {
        #expect(try ExportedSelectors.adjust().twice.sorted() == [])
    }

    @Test("A setter and a method of its name are two of one selector")
    func clash() {
        var selectors = ExportedSelectors()

        selectors.read(
            """
            public final class ADJThing: NSObject {
                public var size: Int?
                public func setSize(_ size: Int) {}
                @nonobjc public func setSize(_ size: String) {}
                public init?(size: Int, of: String) {}
                public static func track(_ a: [String: Int], with b: (Int) -> Void) {}
            }
            """)

        #expect(selectors.twice == ["ADJThing setSize:"])
        #expect(
            selectors.all == ["ADJThing size", "ADJThing setSize:", "ADJThing initWithSize:of:", "ADJThing track:with:"])
    }
}
