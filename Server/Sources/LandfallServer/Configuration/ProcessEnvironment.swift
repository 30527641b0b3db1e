// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The environment that this process was started with.
enum ProcessEnvironment {
    static func value(of name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
