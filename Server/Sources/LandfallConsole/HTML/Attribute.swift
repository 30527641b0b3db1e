// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// An attribute of an element. Its name is a literal of the program, its value is escaped.
///
/// There is no `style` and no `on…`: the console's policy allows neither.
struct Attribute: Hashable, Sendable {
    let markup: String

    init(_ name: StaticString, _ value: String) { markup = " \(name)=\"\(value.escapedForHTML)\"" }

    private init(markup: String) { self.markup = markup }

    /// An attribute without a value, such as `required`; nothing where the condition is false.
    static func flag(_ name: StaticString, _ isSet: Bool = true) -> Attribute { Attribute(markup: isSet ? " \(name)" : "") }

    /// Nothing where the value is nil.
    static func optional(_ name: StaticString, _ value: String?) -> Attribute {
        value.map { Attribute(name, $0) } ?? Attribute(markup: "")
    }

    static func id(_ value: String) -> Attribute { Attribute("id", value) }
    static func `class`(_ value: StaticString) -> Attribute { Attribute("class", "\(value)") }
    static func type(_ value: StaticString) -> Attribute { Attribute("type", "\(value)") }
    static func name(_ value: StaticString) -> Attribute { Attribute("name", "\(value)") }
    static func value(_ value: String) -> Attribute { Attribute("value", value) }
    static func label(_ value: String) -> Attribute { Attribute("aria-label", value) }
    static func lang(_ value: Language) -> Attribute { Attribute("lang", value.tag) }
    static func href(_ place: Place) -> Attribute { Attribute("href", place.text) }
    static func action(_ place: Place) -> Attribute { Attribute("action", place.text) }
}
