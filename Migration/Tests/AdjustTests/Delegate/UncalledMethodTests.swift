// SPDX-License-Identifier: Apache-2.0
@testable import Adjust
import Foundation
import Landfall
import Testing

@Suite("A method of the delegate that is never called", .timeLimit(.minutes(1)))
struct UncalledMethodTests {
    private final class Delegate: NSObject, AdjustDelegate {}

    @Test("says so once, and what to do instead", arguments: UncalledMethod.allCases)
    func once(_ method: UncalledMethod) {
        let lines = Lines()
        let notices = Notices { lines.add($0) }

        notices.say(method)
        notices.say(method)

        #expect(lines.texts() == ["\(method.selector) of AdjustDelegate is never called. \(method.instead)"])
        #expect(method.instead.hasSuffix("."))
    }

    @Test("is logged when an app sets a delegate that has it, also by ADJConfig, and only once")
    func set() async {
        let app = StartedApp(StartedApp.info, uncalled: [.eventSucceeded, .remoteTriggerReceived])
        let delegate = Delegate()

        app.connection.begin(StartedApp.config { $0.delegate = delegate })
        app.connection.delegate = nil
        app.connection.delegate = delegate

        #expect(
            app.lines.texts().map { $0.prefix { $0 != " " } } == ["adjustEventTrackingSucceeded:", "adjustRemoteTriggerReceived:"])
        #expect(app.connection.delegate === delegate)
        await app.connection.client?.shutdown()
    }

    @Test("is every one of the protocol's methods but the four that are called")
    func complete() throws {
        let called = [
            "adjustAttributionChanged:", "adjustDeferredDeeplinkReceived:", "adjustDeeplinkResponse:", "adjustSessionTrackingSucceeded:",
        ]
        let declared = try ExportedSelectors.adjust().all.filter { $0.hasPrefix("AdjustDelegate ") }

        #expect(declared == Set((UncalledMethod.allCases.map(\.selector) + called).map { "AdjustDelegate \($0)" }))
    }

    @Test("is not guessed where no runtime can be asked")
    func unknown() {
        #if !canImport(ObjectiveC)
        #expect(UncalledMethod.of(Delegate()).isEmpty)
        #endif
    }
}
