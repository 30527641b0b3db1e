// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting

@testable import LandfallServer

extension ManualClock {
    /// The server's time as this clock has it.
    var serverTime: ServerTime {
        ServerTime(
            nowMs: { Int64((self.date.timeIntervalSince1970 * 1000).rounded()) },
            sleep: { try await self.sleep(until: self.now.advanced(by: $0)) }
        )
    }
}
