// SPDX-License-Identifier: Apache-2.0
//
// What LandfallApple uses of Apple's os module, declared as Swift sees it. Different from Apple's: lines are kept for the test
// (``SimulatedLog``), and are shown as another process would see them, with private values hidden.
internal import Foundation

public struct OSLogType: Equatable, RawRepresentable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    public static let `default` = OSLogType(0x00)
    public static let info = OSLogType(0x01)
    public static let debug = OSLogType(0x02)
    public static let error = OSLogType(0x10)
    public static let fault = OSLogType(0x11)
}

public struct OSLogPrivacy: Sendable {
    let isPublic: Bool
    public static var `public`: OSLogPrivacy { OSLogPrivacy(isPublic: true) }
    public static var `private`: OSLogPrivacy { OSLogPrivacy(isPublic: false) }
    /// Private for texts.
    public static var auto: OSLogPrivacy { OSLogPrivacy(isPublic: false) }
}

public struct OSLogStringAlignment: Sendable {
    public static var none: OSLogStringAlignment { OSLogStringAlignment() }
}

public struct OSLogInterpolation: StringInterpolationProtocol {
    var text = ""
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) { text += literal }
    public mutating func appendInterpolation(
        _ argumentString: @autoclosure @escaping () -> String, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += privacy.isPublic ? argumentString() : "<private>"
    }
}

public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
    let text: String
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
    public init(stringLiteral value: String) { text = value }
}

public struct Logger: Sendable {
    private let subsystem: String
    private let category: String

    public init(subsystem: String, category: String) {
        self.subsystem = subsystem
        self.category = category
    }

    public func log(level: OSLogType, _ message: OSLogMessage) {
        SimulatedLog.keep(.init(subsystem: subsystem, category: category, level: level, text: message.text))
    }
}

/// Not in Apple's module: every line so far.
public enum SimulatedLog {
    public struct Line: Equatable, Sendable {
        public let subsystem: String
        public let category: String
        public let level: OSLogType
        public let text: String

        public init(subsystem: String, category: String, level: OSLogType, text: String) {
            self.subsystem = subsystem
            self.category = category
            self.level = level
            self.text = text
        }
    }

    private static let lock = NSLock()
    // `lock` guards every access.
    nonisolated(unsafe) private static var kept: [Line] = []

    public static var lines: [Line] { lock.withLock { kept } }

    static func keep(_ line: Line) { lock.withLock { kept.append(line) } }
}
