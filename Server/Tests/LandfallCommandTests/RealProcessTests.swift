// SPDX-License-Identifier: Apache-2.0
import Testing

/// Everything that keeps whole processes busy: one at a time, so that they do not spoil one another's time limits, or those
/// of the tests beside them.
@Suite("Real processes", .serialized)
enum RealProcessTests {}
