// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// Keeps what was logged.
///
/// `@unchecked Sendable`: `lock` guards `lines`.
final class LogLines: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [LogLine] = []

    var all: [LogLine] { lock.withLock { lines } }
    func append(_ line: LogLine) { lock.withLock { lines.append(line) } }
}
