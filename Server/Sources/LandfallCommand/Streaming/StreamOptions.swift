// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LandfallRules
import LandfallSQLite
import LandfallServer
import LandfallStore
import Logging

/// Where `landfall serve` streams its store to.
struct StreamOptions: ParsableArguments {
    private static let seconds = 1...3_600

    @Option(
        help: "A folder that exists, or s3://BUCKET/PREFIX, that gets a whole copy of the store and then each change; for a store in a folder (LANDFALL_STREAM_TO; none).",
        completion: .directory)
    var streamTo: String?

    @Option(help: "How many seconds pass at most until a change is sent there (LANDFALL_STREAM_EVERY; 10).")
    var streamEvery: Int?

    /// - Returns: nil if nothing is streamed.
    /// - Throws: a sentence for the operator.
    func order(_ environment: FlagEnvironment, of store: StorePlace) throws -> StreamOrder? {
        let seconds = try streamEvery ?? environment.number("stream-every") ?? 10
        guard Self.seconds.contains(seconds) else {
            throw ValidationError("--stream-every is \(seconds); it has to be \(Self.seconds.lowerBound)…\(Self.seconds.upperBound).")
        }
        guard let text = streamTo ?? environment.text("stream-to") else { return nil }
        guard case .folder(let folder) = store else {
            throw ValidationError("--stream-to streams the store of a folder. A PostgreSQL is streamed by its own tools, such as pgBackRest.")
        }
        return StreamOrder(
            target: try StreamTarget(text, option: "stream-to", scratch: BackupPlace.path(folder.path), access: { try S3Access() }), every: .seconds(seconds))
    }
}

/// A folder or a bucket with the stream of a store.
struct StreamTarget {
    private let place: ExportPlace
    /// Of a bucket.
    private let access: S3Access?
    private let scratch: String

    /// - Parameters:
    ///   - scratch: a folder of this machine for whole copies on their way to a bucket.
    ///   - access: asked for a bucket only.
    /// - Throws: a sentence for the operator.
    init(_ text: String, option: String, scratch: String, access: () throws -> S3Access) throws {
        guard case .store(let place) = try BackupPlace(file: nil, place: text, option: option) else { preconditionFailure("A place is no file.") }
        (self.place, self.scratch) = (place, scratch)
        guard case .bucket = place else {
            self.access = nil
            return
        }
        do { self.access = try access() } catch let error as S3AccessError { throw ValidationError("\(error)") }
    }

    func stream(by http: any OutboundHTTP) -> any StreamPlace {
        switch (place, access) {
        case (.bucket(let place), let access?): StreamBucket(place, access, by: http, scratch: scratch)
        case (.folder(let path), _): StreamFolder(path)
        case (.bucket, nil): preconditionFailure("A bucket has keys.")
        }
    }
}

/// What is streamed, and how often.
struct StreamOrder {
    /// For the last changes, when the server stops.
    private static let patience = Duration.seconds(10)

    let target: StreamTarget
    let every: Duration

    /// The body serves and runs the stream. Behind it nothing writes to the store, and the last changes are sent.
    static func streaming(
        _ order: StreamOrder?, _ database: any Database, _ logger: Logger, _ body: (StoreStream?) async throws -> Void
    ) async throws {
        guard let order, let log = database as? any LogFollowing else { return try await body(nil) }
        try await LiveOutboundHTTP.with { http in
            let stream = StoreStream(database, log, to: order.target.stream(by: http), every: order.every, logger: logger)
            do { try await body(stream) } catch {
                await stream.finish(within: patience)
                throw error
            }
            await stream.finish(within: patience)
        }
    }
}
