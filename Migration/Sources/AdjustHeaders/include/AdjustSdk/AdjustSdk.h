// SPDX-License-Identifier: Apache-2.0
// The second generation's name of the same header.
#pragma once
#import <Adjust/Adjust.h>
