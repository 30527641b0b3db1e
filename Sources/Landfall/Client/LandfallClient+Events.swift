// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LandfallWire

extension LandfallClient {
    /// Counts something that happened in the app: `landfall.record("trial_started", value: 9.99, currency: "EUR",
    /// properties: ["plan": "year"])`. It does not wait for the network and throws no errors; if it does not keep an event, the
    /// log says why.
    ///
    /// Once a file is open, a few milliseconds after `start()`, the event is stored when this returns, and survives a kill of the app:
    /// one write of at most 8 KiB. Before that it is in memory, and a background task stores it as soon as there is a file. Then it
    /// is also dropped if the files say that ``dataCollection`` is not ``CollectionMode/full``.
    ///
    /// The server keeps what its configuration declares under `events`. Of an event that is not declared it keeps the type and the
    /// time; a value or a property that is not declared is left out. Nothing is kept or sent unless ``dataCollection`` is
    /// ``CollectionMode/full``.
    /// - Parameters:
    ///   - type: 1…64 of `[a-z0-9_.]`, none that the SDK records itself (`paywall_shown`, `paywall_decided`).
    ///   - value: what it is worth, or how much it is: below 10¹², kept with three decimals. Nil: it has no value.
    ///   - currency: three capitals, such as `EUR`, if the value is money.
    ///   - properties: at most 16; names of 1…64 `[A-Za-z0-9._-]`, texts of at most 256 bytes, finite numbers.
    public func record(
        _ type: String, value: Decimal? = nil, currency: String? = nil, properties: [String: AttributeValue] = [:]
    ) {
        launch.record(type, value: value, currency: currency, properties: properties)
    }

    /// Sends everything that waits on the phone now: events, changes of attributes, other providers' attribution and clicks of
    /// links. Returns when all of it has reached the server. Call it where the app must not go on before that, such as
    /// before it asks its own backend; nothing else needs it, because the client sends what waits by itself.
    ///
    /// A try that fails is repeated within the time limit, except where there is no network.
    /// - Parameter limit: 0…1 day; anything else is clamped.
    /// - Throws: ``LandfallError``: `network` or `unavailable` if the last try failed and no other comes in time, or if the time is
    ///   over: everything that has not arrived stays on the phone, and is sent later. `refused` if the server refused an item for
    ///   good: everything else has arrived, that item is dropped, and the log says why. `notStarted`, `storage`, `shutDown`. A cancelled
    ///   call throws `CancellationError` at once; what waits is sent all the same.
    public func flush(within limit: Duration = .seconds(5)) async throws { try await launch.flush(within: limit) }
}
