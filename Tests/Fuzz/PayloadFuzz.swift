// SPDX-License-Identifier: Apache-2.0
// The target of `script/fuzz payloads`: any bytes may claim to be what the App Store signed, or a piece of a write-ahead log.

/// In the place of the server's own.
enum Instant {
    static let latestMs: Int64 = 253_402_300_799_999
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count), array = Array(bytes)
    _ = NotificationPayload(payload: array)
    _ = TransactionPayload(payload: array)
    _ = RenewalPayload(payload: array)
    if let fields = PayloadFields(json: array) {
        for name in fields.members.keys {
            if let time = fields.time(name) { precondition((-Instant.latestMs...Instant.latestMs).contains(time), "Times can be added.") }
            if let text = fields.text(name) { precondition(!text.isEmpty && !text.utf8.contains(0), "A store keeps every text.") }
            _ = (fields.integer(name), fields.flag(name), fields.object(name), fields.objects(name), fields.texts(name))
        }
    }
    checkLog(bytes)
    return 0
}

private func checkLog(_ bytes: UnsafeRawBufferPointer) {
    if let header = LogHeader(bytes) {
        precondition(StorePages.isSize(header.pageSize), "A page has one of seven sizes.")
        precondition(header.offset(ofFrame: 1) == Int64(LogHeader.length), "The first frame follows the header.")
    }
    var sum = LogChecksum()
    sum.add(bytes, isBigEndian: true)
    sum.add(bytes, isBigEndian: false)
    guard bytes.count >= LogFrame.headerLength else { return }
    let frame = LogFrame(bytes)
    precondition(!frame.salts.isFollowed(by: frame.salts), "No log follows itself.")
}
