// SPDX-License-Identifier: Apache-2.0
// The target of `script/fuzz heads`: any bytes may come in as a request's head and as the values of its fields. The reader of heads says
// the same however much follows, and no part of a head is a whole one.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    checkHead(bytes)
    // Almost nothing that is random is a head: give it the beginning of one too.
    var head = Array("GET /a?b=c HTTP/1.1\r\nHost: go.example\r\n".utf8)
    head += bytes
    head.withUnsafeBytes(checkHead)
    checkValues(String(decoding: bytes, as: UTF8.self))
    return 0
}

private func checkHead(_ bytes: UnsafeRawBufferPointer) {
    guard case .whole(let head) = PlainHead.read(bytes, countryName: Array("cf-ipcountry".utf8)) else { return }
    precondition(head.length <= bytes.count && head.length <= PlainHead.longest, "A head is in its bytes.")
    precondition((0...999_999_999).contains(head.bodyLength), "A body has a length.")
    let places = [head.host, head.userAgent, head.authorization, head.profile, head.forwardedFor, head.country, head.acceptLanguage, head.target]
    precondition(places.allSatisfy { $0.map { 0 <= $0.lowerBound && $0.upperBound <= head.length } ?? true }, "Its parts are in it.")
    let whole = UnsafeRawBufferPointer(rebasing: bytes[..<head.length])
    precondition(whole.suffix(4).elementsEqual("\r\n\r\n".utf8), "It ends with an empty line.")
    precondition(!whole.dropLast(2).elementsEqual("\r\n\r\n".utf8) && !whole.contains(0), "No byte of it ends a text.")
    precondition(PlainHead.read(whole, countryName: Array("cf-ipcountry".utf8)) == .whole(head), "What follows makes no difference.")
    for end in [head.length - 1, head.length / 2, 1] {
        let part = PlainHead.read(UnsafeRawBufferPointer(rebasing: bytes[..<end]), countryName: Array("cf-ipcountry".utf8))
        precondition(part == .part, "A part of a head is a part: \(end) of \(head.length)")
    }
}

private func checkValues(_ text: String) {
    // As the server's pipeline does.
    guard CombiningMarks.areFew(percentEncoded: text) else { return }
    _ = AcceptedLanguages(text)
    let agent = text.utf8.prefix(1024).map { (65...90).contains($0) ? $0 | 32 : $0 }
    _ = AgentMachines.include(agent)
    if let locale = LocaleCode(deviceLocale: text) {
        precondition(LocaleCode(rawValue: locale.rawValue) == locale, "A locale's form is its own form.")
    }
    if let version = SemanticVersion(text) {
        precondition(version == version && !(version < version), "A version is equal to itself.")
    }
    _ = Suggestion.sentence(for: String(text.prefix(64)), among: ["placements", "paywalls", "audiences"])
}
