// SPDX-License-Identifier: Apache-2.0
// Lets an app import one module only.
@_exported public import Landfall
