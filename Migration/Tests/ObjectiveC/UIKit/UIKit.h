// SPDX-License-Identifier: Apache-2.0
// A stand-in with what the calls use.
#pragma once
#import <Foundation/Foundation.h>

typedef NSString *UIApplicationOpenURLOptionsKey;
typedef NSString *UIApplicationLaunchOptionsKey;

@interface UIResponder : NSObject
@end
@interface UIApplication : UIResponder
@end
@interface UIScene : UIResponder
@end
@interface UISceneSession : NSObject
@end
@interface UIOpenURLContext : NSObject
@property (readonly, nonnull) NSURL *URL;
@end
@interface UISceneConnectionOptions : NSObject
@property (readonly, nonnull) NSSet<UIOpenURLContext *> *URLContexts;
@property (readonly, nonnull) NSSet<NSUserActivity *> *userActivities;
@end
@protocol UIUserActivityRestoring <NSObject>
@end
@protocol UIApplicationDelegate <NSObject>
@end
@protocol UIWindowSceneDelegate <NSObject>
@end
