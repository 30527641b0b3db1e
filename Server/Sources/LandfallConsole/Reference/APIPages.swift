// SPDX-License-Identifier: Apache-2.0

/// The contents of the reference: every group with its calls.
struct APIContentsPage {
    let frame: Frame
    let reference: APIReference

    var html: HTML {
        let words = frame.words
        return frame.page(words.apiReference, .api, note: words.apiNote) {
            section(.class("block"), .lang(.english)) { APIText.html(reference.about) }
            for group in reference.groups {
                section(.class("block")) {
                    h2(.lang(.english)) { a(.href(Place("/console/api", [group.slug]))) { group.name } }
                    if !group.about.isEmpty { p(.class("hint"), .lang(.english)) { group.about } }
                    ul(.lang(.english)) {
                        for operation in group.operations {
                            li {
                                a(Attribute("href", Place("/console/api", [group.slug]).text + "#" + operation.id)) {
                                    code { operation.method + " " + operation.path }
                                }
                                " "
                                operation.summary
                            }
                        }
                    }
                }
            }
            section(.class("block")) {
                h2 { words.apiSharedAnswers }
                for answer in reference.shared {
                    div(.id("answer-" + (answer.name ?? ""))) {
                        h3(.lang(.english)) { answer.name ?? "" }
                        div(.lang(.english)) { APIText.html(answer.about) }
                    }
                }
            }
        }
    }
}

/// The calls of a group.
struct APIGroupPage {
    let frame: Frame
    let group: APIReference.Group

    private var words: Words { frame.words }
    private var typesPlace: Place { Place("/console/api", [group.slug, "types"]) }

    var html: HTML {
        frame.page(words.apiGroup(group.name), .api, note: words.apiNote) {
            p { a(.href(Place("/console/api"))) { words.apiReference }; " · "; a(.href(typesPlace)) { words.apiTypes } }
            nav(.class("block"), .label(words.apiOnThisPage)) {
                ul(.lang(.english)) {
                    for operation in group.operations {
                        li { a(Attribute("href", "#" + operation.id)) { code { operation.method + " " + operation.path } } }
                    }
                }
            }
            for operation in group.operations { block(operation) }
        }
    }

    private func block(_ operation: APIReference.Operation) -> HTML {
        section(.class("block"), .id(operation.id)) {
            h2(.lang(.english)) { operation.summary }
            p { code { operation.method + " " + operation.path } }
            p { words.apiAccess; ": "; words.access(operation.access) }
            div(.lang(.english)) { APIText.html(operation.about) }
            if !operation.parameters.isEmpty {
                h3 { words.apiParameters }
                scrollingTable(
                    words.apiParameters + ": " + operation.id, titles: [words.apiName, words.apiPlace, words.apiType, words.apiAbout], hasCards: false
                ) {
                    for parameter in operation.parameters {
                        tr {
                            th(Attribute("scope", "row")) { code { parameter.name }; required(parameter.isRequired) }
                            td(.lang(.english)) { parameter.place }
                            td(.lang(.english)) { APIText.type(parameter.type, at: typesPlace) }
                            td(.lang(.english)) { APIText.html(parameter.about) }
                        }
                    }
                }
            }
            if let body = operation.body {
                h3 { words.apiBody }
                content(body, of: operation)
            }
            h3 { words.apiAnswers }
            scrollingTable(words.apiAnswers + ": " + operation.id, titles: [words.apiStatus, words.apiAbout, words.apiType], hasCards: false) {
                for answer in operation.answers {
                    tr {
                        th(Attribute("scope", "row")) { code { answer.status } }
                        if let name = answer.name {
                            td(.lang(.english)) {
                                a(Attribute("href", Place("/console/api").text + "#answer-" + name)) { name }
                                for each in answer.codes { " "; code { each } }
                            }
                            td {}
                        } else {
                            td(.lang(.english)) { APIText.html(answer.about) }
                            td(.lang(.english)) { for content in answer.content { type(content) } }
                        }
                    }
                }
            }
            h3 { words.apiExample }
            pre(Attribute("tabindex", "0")) { code { APIExample.curl(operation) } }
        }
    }

    private func type(_ content: APIReference.Content) -> HTML {
        div {
            code { content.mediaType }; " "; APIText.type(content.type, at: typesPlace)
            if !content.fields.isEmpty { " { " + content.fields.map(\.name).joined(separator: ", ") + " }" }
        }
    }

    private func content(_ content: APIReference.Content, of operation: APIReference.Operation) -> HTML {
        div {
            p(.lang(.english)) { code { content.mediaType }; " "; APIText.type(content.type, at: typesPlace) }
            if !content.fields.isEmpty {
                APIFieldTable(words: words, name: words.apiBody + ": " + operation.id, fields: content.fields, place: typesPlace).html
            }
        }
    }

    private func required(_ isRequired: Bool) -> HTML? { isRequired ? span(.class("quiet line")) { words.apiRequired } : nil }
}

/// The types that a group's calls have.
struct APITypesPage {
    let frame: Frame
    let group: APIReference.Group
    let types: [APIReference.Named]

    private var words: Words { frame.words }
    private var place: Place { Place("/console/api", [group.slug, "types"]) }

    var html: HTML {
        frame.page(words.apiTypesOf(group.name), .api, note: words.apiNote) {
            p {
                a(.href(Place("/console/api"))) { words.apiReference }; " · "
                a(.href(Place("/console/api", [group.slug]))) { words.apiGroup(group.name) }
            }
            for type in types {
                section(.class("block"), .id(type.name)) {
                    h2(.lang(.english)) { code { type.name } }
                    if type.fields.isEmpty { p(.lang(.english)) { APIText.type(type.type, at: place) } }
                    div(.lang(.english)) { APIText.html(type.about) }
                    if !type.fields.isEmpty { APIFieldTable(words: words, name: type.name, fields: type.fields, place: place).html }
                }
            }
        }
    }
}

/// The fields of one object.
struct APIFieldTable {
    let words: Words
    let name: String
    let fields: [APIReference.Field]
    /// Where types are.
    let place: Place

    var html: HTML {
        scrollingTable(name, titles: [words.apiName, words.apiType, words.apiAbout], hasCards: false) {
            for field in fields {
                tr {
                    th(Attribute("scope", "row")) {
                        code { field.name }
                        if field.isRequired { span(.class("quiet line")) { words.apiRequired } }
                    }
                    td(.lang(.english)) { APIText.type(field.type, at: place) }
                    td(.lang(.english)) { APIText.html(field.about) }
                }
            }
        }
    }
}
