// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// One value behind one lock, for state that synchronous callers read. Nothing is awaited and no callback runs inside.
///
/// `@unchecked Sendable`: `lock` guards every access to `value`. (`Mutex` needs iOS 18.)
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: sending Value) { self.value = value }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&value) }
    }
}
