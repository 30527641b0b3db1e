// SPDX-License-Identifier: Apache-2.0
#if canImport(Network)
import Dispatch
import Network

/// The system's network path, now and at every change, until the reader stops.
func networkPaths() -> AsyncStream<String> {
    AsyncStream { voice in
        // Its methods may be called from any thread.
        nonisolated(unsafe) let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { path in voice.yield(path.status == .satisfied ? "satisfied" : "\(path.status)") }
        voice.onTermination = { _ in monitor.cancel() }
        monitor.start(queue: DispatchQueue(label: "device-kit.path"))
    }
}
#endif
