// SPDX-License-Identifier: Apache-2.0
public import Foundation

public struct Color: Hashable, Sendable {
    private let name: String
    private init(name: String) { self.name = name }
    public static let black = Color(name: "black")
    public static let white = Color(name: "white")
    public static let clear = Color(name: "clear")
    public static let primary = Color(name: "primary")
    public static let secondary = Color(name: "secondary")
    public static var accentColor: Color { Color(name: "accentColor") }

    public enum RGBColorSpace: Sendable {
        case sRGB
    }

    public init(_ colorSpace: Color.RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1) {
        name = "\(red) \(green) \(blue) \(opacity)"
    }

    public func opacity(_ opacity: Double) -> Color { Color(name: "\(name), \(opacity)") }
}

// In an extension, as Apple's: the type itself belongs to no actor.
extension Color: View, Primitive {
    public typealias Body = Never
    func render(in scene: Rendering) {}
}

public struct Gradient: Equatable {
    let colors: [Color]
    public init(colors: [Color]) { self.colors = colors }
}

public struct UnitPoint: Hashable, Sendable {
    public var x: CGFloat
    public var y: CGFloat

    nonisolated public init(x: CGFloat, y: CGFloat) { (self.x, self.y) = (x, y) }

    public static let center = UnitPoint(x: 0.5, y: 0.5)
    public static let top = UnitPoint(x: 0.5, y: 0)
    public static let bottom = UnitPoint(x: 0.5, y: 1)
}

public struct Angle: Hashable, Sendable {
    public var radians: Double
    public init(radians: Double) { self.radians = radians }
    public static func degrees(_ degrees: Double) -> Angle { Angle(radians: degrees * .pi / 180) }
    public static var zero: Angle { Angle(radians: 0) }
}
