// SPDX-License-Identifier: Apache-2.0
// The target of `script/fuzz json`: any bytes may come in as a body. The fast reader and `Codable` must agree: what the first one reads,
// the second one reads as the same value. A value that was read is written and read again without a change.
import Foundation

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // Routes refuse these before a body is read, see `BodyDecoding.swift`.
    let bytes = UnsafeRawBufferPointer(start: start, count: count), data = Data(bytes)
    guard !data.contains(0), CombiningMarks.areFew(escaped: data) else { return 0 }
    agree(FirstOpenRequest.self, bytes, data)
    agree(EventBatch.self, bytes, data)
    agree(AppleAdsAnswer.self, bytes, data)
    agree([String: AttributeValue].self, bytes, data)
    survives(LinkOpenRequest.self, data)
    survives(AttributionClaim.self, data)
    survives(AttributeChanges.self, data)
    survives(PurchaseReport.self, data)
    survives(IdentifyRequest.self, data)
    survives(WireLinkRules.self, data)
    survives(PaywallAnswer.self, data)
    survives(WireProfile.self, data)
    return 0
}

private func agree<Value: PlainlyReadable & Hashable & Encodable>(_ type: Value.Type, _ bytes: UnsafeRawBufferPointer, _ data: Data) {
    let plain = Value.plain(bytes), read = survives(type, data)
    if let plain { precondition(plain == read, "Both readers have the same value: \(plain), \(String(describing: read))") }
}

@discardableResult
private func survives<Value: Codable & Hashable>(_ type: Value.Type, _ data: Data) -> Value? {
    guard let value = try? WireCoding.decode(type, from: data), let written = try? WireCoding.encode(value) else { return nil }
    guard let again = try? WireCoding.decode(type, from: written) else { preconditionFailure("What is written can be read: \(value)") }
    precondition(again == value, "It is read as it was: \(value), \(again)")
    return value
}
