// SPDX-License-Identifier: Apache-2.0
// As code that is written against the framework of that name imports it.
#pragma once
#import <Adjust/Adjust.h>
