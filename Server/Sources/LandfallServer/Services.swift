// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import Logging

/// Everything that handlers need, put together once by `Server`.
struct Services: Sendable {
    let snapshot: Snapshot
    let database: any Database
    let installs: any InstallStore
    let events: any EventStore
    let holds: Holds
    let time: ServerTime
    let metrics: PrometheusRegistry
    let telemetry: Telemetry
}
