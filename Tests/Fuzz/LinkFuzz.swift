// SPDX-License-Identifier: Apache-2.0
// The target of `script/fuzz links`: any bytes may come in as a link; reading them must end, and the result must be valid. It
// is compiled together with LandfallWire as one module, so that the fuzzer sees every branch of it.

private let domains = LinkDomains(brand: ["go.example", "*.go.link"], universal: ["example.com"], schemes: ["example"])

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    checkLink(text)
    // Almost nothing that is random is a link of the app: give it the beginning of each form too.
    for beginning in ["https://go.example/", "https://example.com", "example://", "https://a.go.link?"] {
        checkLink(beginning + text)
    }
    checkPattern(text)
    return 0
}

private func checkLink(_ text: String) {
    guard let link = try? LinkAddress(text) else { return }
    precondition(link.text == text && text.utf8.count <= LinkAddress.longest, "A link is kept as it came.")
    _ = link.carriesCredential
    _ = try? LinkParameters(link)
    guard let destination = try? Destination(link, in: domains) else { return }
    precondition(!destination.query.contains { $0.isTracking }, "Tracking parameters never survive.")
    precondition(!destination.path.contains { ["", ".", ".."].contains($0) }, "No segment leads elsewhere.")
    for form in [
        destination.text(onHost: "go.example"), destination.text(onHost: "example.com"), destination.text(inScheme: "example")!,
    ] {
        // Percent-encoding may take up to three times the room.
        guard form.utf8.count <= LinkAddress.longest else { continue }
        guard let again = try? LinkAddress(form) else { preconditionFailure("What is printed can be read: \(form)") }
        let back = try? Destination(again, in: domains)
        precondition(back == destination, "The three forms of one destination are equal: \(form)")
    }
}

private func checkPattern(_ text: String) {
    let parts = text.split(separator: "\n", maxSplits: 1)
    guard parts.count == 2 else { return }
    let pattern = PathPattern(String(parts[0].prefix(PathPattern.longest))), path = String(parts[1].prefix(LinkAddress.longest))
    _ = pattern.matches(path)
    precondition(PathPattern("*").matches(path), "A star matches everything.")
    // Every pattern without wildcards matches itself and nothing else, as far as nothing is encoded.
    let marks = Set("*?%".utf8)
    if !pattern.rawValue.utf8.contains(where: marks.contains), !path.utf8.contains(UInt8(ascii: "%")) {
        precondition(pattern.matches(path) == pattern.rawValue.utf8.elementsEqual(path.utf8))
    }
    if let link = try? LinkAddress("https://go.example/" + path) {
        precondition(PathPattern("*").matches(link) == ((try? link.segments()) != nil), "What can be read is matched.")
    }
}
