// SPDX-License-Identifier: Apache-2.0
@testable import LandfallConsole

extension Language {
    static let japanese = Language(tag: "ja")!
    static let chinese = Language(tag: "zh-Hans")!
}
