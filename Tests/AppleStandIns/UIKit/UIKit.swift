// SPDX-License-Identifier: Apache-2.0
//
// As Apple's: the declarations are UIKitCore's. SwiftUI exports those and not this module, because a file that imports
// Testing and UIKit wants an overlay of both that only Apple's systems have.
@_exported public import UIKitCore
