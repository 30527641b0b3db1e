// SPDX-License-Identifier: Apache-2.0

/// One of a few values.
struct ChoiceField {
    let name: StaticString
    let title: String
    let choices: [(value: String, title: String)]
    let chosen: String

    var html: HTML {
        div(.class("field")) {
            label(Attribute("for", "\(name)")) { title }
            select(.id("\(name)"), .name(name)) {
                for choice in choices {
                    option(.value(choice.value), .flag("selected", choice.value == chosen)) { choice.title }
                }
            }
        }
    }
}
