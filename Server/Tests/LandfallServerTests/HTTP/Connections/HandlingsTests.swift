// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallServer

@Suite("Tasks that handle connections", .timeLimit(.minutes(1)))
struct HandlingsTests {
    @Test("are waited for until the last one has ended; without tasks there is no wait")
    func ended() async {
        let handlings = Handlings(), count = Count()
        await handlings.ended()
        for _ in 0..<100 {
            handlings.begin(.medium) {
                for _ in 0..<10 { await Task.yield() }
                count.increment()
            }
        }

        await handlings.ended()

        #expect(count.value == 100)
    }

    @Test("are cancelled together, and so are those that come later")
    func cancelled() async {
        let handlings = Handlings(), count = Count()
        func begin() {
            handlings.begin(.medium) {
                try? await Task.sleep(for: .seconds(3600))
                if Task.isCancelled { count.increment() }
            }
        }
        for _ in 0..<10 { begin() }
        handlings.cancel()
        for _ in 0..<10 { begin() }

        await handlings.ended()

        #expect(count.value == 20)
    }
}
