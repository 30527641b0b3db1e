// SPDX-License-Identifier: Apache-2.0
// A stand-in with what the calls use.
#pragma once

typedef signed char BOOL;
typedef long NSInteger;
typedef unsigned long NSUInteger;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define nil ((id)0)

@protocol NSObject
- (BOOL)respondsToSelector:(SEL _Nonnull)selector;
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
+ (nonnull instancetype)alloc;
- (nonnull instancetype)init;
@end

@protocol NSCopying
@end
@protocol NSSecureCoding
@end

@interface NSString : NSObject <NSCopying>
- (BOOL)isEqualToString:(nonnull NSString *)other;
- (NSUInteger)length;
@end
@interface NSConstantString : NSString
@end
@interface NSNumber : NSObject
+ (nonnull NSNumber *)numberWithBool:(BOOL)value;
+ (nonnull NSNumber *)numberWithInt:(int)value;
@end
@interface NSDecimalNumber : NSNumber
+ (nonnull NSDecimalNumber *)decimalNumberWithString:(nonnull NSString *)text;
@end
@interface NSData : NSObject
@end
@interface NSDate : NSObject
+ (nonnull NSDate *)date;
@end
@interface NSError : NSObject
@end
@interface NSURL : NSObject <NSCopying>
+ (nullable NSURL *)URLWithString:(nonnull NSString *)text;
@property (readonly, nullable) NSString *absoluteString;
@end
@interface NSArray<__covariant T> : NSObject
@property (readonly) NSUInteger count;
@property (readonly, nullable) T firstObject;
+ (nonnull NSArray *)arrayWithObjects:(const id _Nonnull [_Nonnull])objects count:(NSUInteger)count;
@end
@interface NSSet<__covariant T> : NSObject
@property (readonly) NSUInteger count;
@property (readonly, nonnull) NSArray<T> *allObjects;
@end
@interface NSDictionary<__covariant K, __covariant V> : NSObject
@end

extern NSString *_Nonnull const NSUserActivityTypeBrowsingWeb;
@interface NSUserActivity : NSObject
@property (readonly, nonnull) NSString *activityType;
@property (readonly, nullable) NSURL *webpageURL;
@end
