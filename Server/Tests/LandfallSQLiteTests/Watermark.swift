// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// How much of the disk is free, as a test says.
final class Watermark: Sendable {
    private let state: Mutex<Double>
    init(_ value: Double) { state = Mutex(value) }
    var value: Double {
        get { state.withLock(\.self) }
        set { state.withLock { $0 = newValue } }
    }
}
