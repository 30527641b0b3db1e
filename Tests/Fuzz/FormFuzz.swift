// SPDX-License-Identifier: Apache-2.0
// The target of `script/fuzz forms`: any bytes may come in as a form of the console and as a table of links.

/// In the place of the server's own, which has more than this module knows.
struct LinkRefusal: Error {
    static func invalid(_ sentence: String) -> LinkRefusal { LinkRefusal() }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    checkForm(text)
    guard CombiningMarks.areFew(in: text), !text.utf8.contains(0) else { return 0 }
    checkTable(text)
    return 0
}

private func checkForm(_ text: String) {
    guard let fields = FormText.fields(text, most: 200) else { return }
    precondition(fields.count <= 200, "A form has so many fields.")
    let written = fields.map { encoded($0.key) + "=" + encoded($0.value) }.joined(separator: "&")
    precondition(FormText.fields(written, most: 200) == fields, "What is written is read.")
}

private func encoded(_ text: String) -> String {
    text.utf8.map { ["%", String($0 >> 4, radix: 16), String($0 & 15, radix: 16)].joined() }.joined()
}

private func checkTable(_ text: String) {
    guard let table = try? CSVTable(text) else { return }
    let texts = table.rows.flatMap(\.fields)
    precondition(texts.reduce(0) { $0 + $1.text.utf8.count } <= text.utf8.count, "Fields are parts of the text.")
    precondition(zip(table.rows, table.rows.dropFirst()).allSatisfy { $0.number < $1.number }, "Rows are in order.")
    // Written anew with quotes around every field, it is the same table.
    let written = table.rows.map { row in row.fields.map { "\"" + doubled($0.text) + "\"" }.joined(separator: ",") }.joined(separator: "\r\n")
    guard let again = try? CSVTable(written) else { preconditionFailure("What is written is read: \(written)") }
    let before = table.rows.map { $0.fields.map(\.text) }.filter { $0 != [""] }, after = again.rows.map { $0.fields.map(\.text) }.filter { $0 != [""] }
    // Only a table of one column may look as if its separator were another sign.
    precondition(before == after || before.allSatisfy { $0.count == 1 }, "The same fields: \(before), \(after)")
}

private func doubled(_ text: String) -> String {
    String(decoding: text.utf8.flatMap { $0 == UInt8(ascii: "\"") ? [$0, $0] : [$0] }, as: UTF8.self)
}
