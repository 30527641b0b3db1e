// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallRules
import LandfallWire

/// `landfall draw`.
struct DrawCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draw",
        abstract: "Says which of a million buckets an install has in a share, a layer, a holdout or an experiment.",
        discussion: """
            Computes the same as the server and needs none. Namespaces are layer, holdout, experiment and audience; the salt is the \
            layer's, the holdout's name, NAME#EPOCH of an experiment, or the name in 'share: { of: … }'; the unit is the \
            install's id in lower case.
            """
    )

    @Option(help: "What is drawn for: layer, holdout, experiment or audience.")
    var namespace: String?

    @Option(help: "Which of them.")
    var salt: String?

    @Option(help: "Who is drawn: an install's id.")
    var unit: String?

    @Option(help: "A JSON list of objects with namespace, salt and unit; the answer is a list.", completion: .file(extensions: ["json"]))
    var vectors: String?

    @OptionGroup var output: JSONOption

    func run() throws {
        if let vectors {
            guard namespace == nil, salt == nil, unit == nil else {
                throw ValidationError("--vectors brings its own namespaces, salts and units. Leave the other options out.")
            }
            guard let bytes = FileManager.default.contents(atPath: vectors) else {
                throw ValidationError("The file '\(vectors)' cannot be read. Check the path and who may read it.")
            }
            guard let wanted = try? WireCoding.decode([WantedDraw].self, from: bytes) else {
                throw ValidationError(
                    "The file '\(vectors)' is not a JSON list of objects with the texts namespace, salt and unit. Correct it.")
            }
            return try output.write(wanted.map { try $0.drawn() })
        }
        guard let namespace, let salt, let unit else {
            throw ValidationError("Name all of --namespace, --salt and --unit, or a file with --vectors.")
        }
        let drawn = try WantedDraw(namespace: namespace, salt: salt, unit: unit).drawn()
        if output.json { try output.write(drawn) } else { Output.line("bucket \(drawn.bucket) of 1000000, u \(drawn.u)") }
    }
}

private struct WantedDraw: Decodable {
    static let namespaces = ["audience", "experiment", "holdout", "layer"]

    let namespace: String
    let salt: String
    let unit: String

    func drawn() throws -> Drawn {
        guard Self.namespaces.contains(namespace) else {
            throw ValidationError("There is no namespace '\(namespace)'. Use \(Self.namespaces.joined(separator: ", ")).")
        }
        guard !(salt + unit).utf8.contains(0) else {
            throw ValidationError("A salt or a unit must not contain a zero byte: it separates them. Leave it out.")
        }
        let draw = Draw(namespace: namespace, salt: salt, unit: unit)
        return Drawn(namespace: namespace, salt: salt, unit: unit, u: draw.hexadecimal, bucket: draw.bucket)
    }
}

private struct Drawn: Encodable {
    let namespace: String
    let salt: String
    let unit: String
    let u: String
    let bucket: Int
}
