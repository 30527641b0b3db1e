// SPDX-License-Identifier: Apache-2.0
// Apple's Combine does not exist here; this is the same interface under its name.
@_exported public import OpenCombine
