// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Hummingbird
import LandfallWire
import NIOCore
import NIOFoundationCompat

extension Request {
    /// Reads and decodes the whole body.
    /// - Parameter absent: the text to decode if the request has no body.
    /// - Throws: `body_too_large`, `malformed_json`, `forbidden_character` (U+0000), `invalid_value`.
    package func decoded<Body: Decodable>(as type: Body.Type, upTo limit: Int, absent: String = "") async throws -> Body {
        let buffer = try await wholeBody(upTo: limit)
        return try Body.decoded(from: buffer.readableBytes > 0 ? Data(buffer: buffer) : Data(absent.utf8))
    }

    /// The same for bodies that most phones send in one plain form.
    func decoded<Body: PlainlyReadable>(as type: Body.Type, upTo limit: Int) async throws -> Body {
        let buffer = try await wholeBody(upTo: limit)
        return try buffer.withUnsafeReadableBytes(Body.plain) ?? Body.decoded(from: Data(buffer: buffer))
    }

    /// Reads a body that is text and no JSON.
    /// - Throws: `body_too_large`, `malformed_request` for bytes that are not UTF-8.
    package func text(upTo limit: Int) async throws -> String {
        let buffer = try await wholeBody(upTo: limit)
        guard let text = String(validating: buffer.readableBytesView, as: UTF8.self) else {
            throw RequestError(.malformedRequest, "The body is not UTF-8. Send the file as UTF-8 text.")
        }
        return text
    }

    /// - Throws: `body_too_large`.
    func wholeBody(upTo limit: Int) async throws -> ByteBuffer {
        if let announced = headers[.contentLength].flatMap({ Int($0) }), announced > limit {
            throw RequestError.bodyTooLarge(limit)
        }
        do {
            return try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw RequestError.bodyTooLarge(limit)
        }
    }
}

extension Decodable {
    /// Decodes an untrusted body.
    package static func decoded(from data: Data) throws -> Self {
        // Neither engine stores U+0000 in TEXT, and no honest client sends it.
        if data.contains(0) || data.containsEscapedNul {
            throw RequestError(.forbiddenCharacter, "The body contains U+0000, which no text may contain. Remove it.")
        }
        guard CombiningMarks.areFew(escaped: data) else {
            throw RequestError(
                .forbiddenCharacter,
                "The body holds more than \(CombiningMarks.mostInARow) combining marks in a row. Remove some.")
        }
        do {
            return try WireCoding.decode(Self.self, from: data)
        } catch let error as DecodingError {
            throw RequestError(decoding: error)
        } catch {
            throw RequestError(.malformedJSON, "The body is not JSON. Send one JSON object in UTF-8.")
        }
    }
}

extension RequestError {
    static func bodyTooLarge(_ limit: Int) -> RequestError {
        RequestError(.bodyTooLarge, "The body is larger than \(limit) bytes. Send less at a time.")
    }

    /// Names the field, never its value.
    fileprivate init(decoding error: DecodingError) {
        switch error {
        case .dataCorrupted(let context) where context.underlyingError is UnknownField:
            let advice = (context.underlyingError as? UnknownField)?.advice ?? ""
            self.init(.invalidValue, "'\(DecodingError.path(context.codingPath))' is not a field of this call.\(advice)")
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            self.init(.malformedJSON, "The body is not JSON. Send one JSON object in UTF-8.")
        case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
            self.init(
                .invalidValue,
                "'\(DecodingError.path(context.codingPath))' has the wrong type or form. docs/openapi.yaml describes every body."
            )
        case .keyNotFound(let key, let context):
            let path = DecodingError.path(context.codingPath + [key])
            self.init(.invalidValue, "'\(path)' is missing. docs/openapi.yaml describes every body.")
        @unknown default:
            self.init(.malformedJSON, "The body cannot be read. docs/openapi.yaml describes every body.")
        }
    }
}

extension DecodingError {
    /// The place in the body, in the usual notation: `placements[0].id`.
    fileprivate static func path(_ keys: [any CodingKey]) -> String {
        guard !keys.isEmpty else { return "body" }
        // Keys of dictionaries are chosen by the caller.
        return keys.prefix(16).reduce(into: "") { path, key in
            path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? "" : ".") + key.stringValue.cut(toBytes: 64)
        }
    }
}

extension Data {
    /// True if a string of the JSON text spells U+0000 as `\u0000`. An escaped backslash before `u0000` does not count.
    fileprivate var containsEscapedNul: Bool {
        withUnsafeBytes { bytes in
            var index = 0
            while index < bytes.count {
                guard bytes[index] == UInt8(ascii: "\\") else {
                    index += 1
                    continue
                }
                if bytes[(index + 1)...].starts(with: "u0000".utf8) { return true }
                // Skips a backslash and the character that it escapes.
                index += 2
            }
            return false
        }
    }
}
