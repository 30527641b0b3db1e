// SPDX-License-Identifier: Apache-2.0
// The headers are all there is; a target needs a source file.
