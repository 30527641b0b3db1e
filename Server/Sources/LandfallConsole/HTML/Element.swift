// SPDX-License-Identifier: Apache-2.0

/// An element with content, called like a function: `p(.class("note")) { text }`.
struct Element {
    private let name: StaticString

    init(_ name: StaticString) { self.name = name }

    func callAsFunction(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
        self(attributes, content())
    }

    func callAsFunction(_ attributes: [Attribute], _ content: HTML) -> HTML {
        HTML(markup: "<\(name)\(attributes.map(\.markup).joined())>\(content.markup)</\(name)>")
    }
}

/// An element without content.
struct VoidElement {
    private let name: StaticString

    init(_ name: StaticString) { self.name = name }

    func callAsFunction(_ attributes: Attribute...) -> HTML { self(attributes) }

    func callAsFunction(_ attributes: [Attribute]) -> HTML { HTML(markup: "<\(name)\(attributes.map(\.markup).joined())>") }
}

let a = Element("a"), abbr = Element("abbr"), article = Element("article"), aside = Element("aside"), body = Element("body")
let button = Element("button"), caption = Element("caption"), code = Element("code"), dd = Element("dd")
let datalist = Element("datalist"), details = Element("details"), dialog = Element("dialog"), div = Element("div"), dl = Element("dl"), dt = Element("dt"), fieldset = Element("fieldset")
let figure = Element("figure"), figcaption = Element("figcaption"), footer = Element("footer"), form = Element("form")
let h1 = Element("h1"), h2 = Element("h2"), h3 = Element("h3"), head = Element("head"), header = Element("header")
let kbd = Element("kbd"), label = Element("label"), legend = Element("legend"), li = Element("li"), main = Element("main"), nav = Element("nav")
let noscript = Element("noscript"), ol = Element("ol"), option = Element("option"), output = Element("output"), p = Element("p"), pre = Element("pre")
let script = Element("script"), section = Element("section"), select = Element("select"), span = Element("span")
let strong = Element("strong"), summary = Element("summary"), table = Element("table"), tbody = Element("tbody")
let td = Element("td"), textarea = Element("textarea"), tfoot = Element("tfoot"), th = Element("th"), thead = Element("thead")
let optgroup = Element("optgroup"), time = Element("time"), title = Element("title"), tr = Element("tr"), ul = Element("ul")
let link = VoidElement("link"), meta = VoidElement("meta"), input = VoidElement("input"), br = VoidElement("br")

// Parts of pictures.
let svg = Element("svg"), desc = Element("desc"), g = Element("g"), path = Element("path"), rect = Element("rect")
let line = Element("line"), text = Element("text"), circle = Element("circle")

/// A whole page.
func document(_ language: Language, @HTMLBuilder content: () -> HTML) -> HTML {
    HTML(markup: "<!doctype html><html lang=\"\(language.tag)\">\(content().markup)</html>")
}
