// SPDX-License-Identifier: Apache-2.0
import JWTKit

/// A key that was made for these tests and opens nothing. Fixed, because making one takes seconds.
enum SampleRSAKey {
    static func load() throws -> Insecure.RSA.PrivateKey { try Insecure.RSA.PrivateKey(pem: pem) }

    private static let pem = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCvFdDXyxPNgzVX
        wI/R3TARyt/dq02zvxD2g6ial1OWGw5bwQfiiaewPX2O/zIWCV1eAIotEeXI0HpW
        s4j/ZH/DT6IrebdepSJEKac9F8uMRjmxgu/T9PtuXhKs+DMvdgOQVXNSUUrx0hLf
        yTGQ+dxr6Lbmu1DLHGoXQq10E1AkZoF9O7dLr9/QiURFy4fUxxSRyun4fcaV+Xd2
        r8BPOXBQJCv0sOIKv2t26tNJAuvYK8VQEilTXDMnV4cwfh3KKJLQ25wmtN/a+rIt
        4XTIw8TkEl2FK7IWAuh9JPVfIbqsmkz5t+rdDF7+GINVYTrOUglYAokFqUA3pc3K
        erAj7W+NAgMBAAECggEAA4IsBHfjmDL19ExhYBSdONC4UWB0Pf2TyfFFk395lWC8
        MojVUqv68RfkIUdjGEa6/KGhzeBncBw871u7GZDW8COBjAjtF0JFUiA9/9t2YMrW
        y+fHvmyJuKKEvIJ8FlFxXrpzL/tg8CRglwCm88oNG1IFcnumHG6DY7thfW8IFicO
        /g+s8Giz+hbnEt4OvIVQrA0cC7YWUnpFC+cnTM6Zw3lCI1bXrocc22F1n3gK0Z5h
        xor6031cmgwT99URUcSPoAgb9yGtsFZ+WuI5O8X+IHBBpHxW/4sRB1DRxu8dr3Xo
        aoKw5j7IJWPiHdQDZlLlUM9GmIwZLa2qDvjaZ74sswKBgQDYCuefPG0ZmKjpT/9b
        xUT4sVVGpYyxX31nNbzEI1zM58LHhEVDKBbOg3KiXlyREG9lBK0vflWy/dWbQoo6
        TKNQlHi6CU7L+X7Huq6ilugvCUnGYO8afSxaZgmVf0l5AC3yy9Ylt+xR9RpydvFq
        R1duHr37XK8TkH2640u8sEOL8wKBgQDPd62UHg8NifSYsK3qbdLcHeJQvX1RtHf5
        3iqOJpMimOdHMO4zDFllSdPlJTHZJse/A4BYmMP9QuZ4mfDZM6oh8hqbexb4YaCO
        1YxQvSAJbidB6LXEa/VnwUIVOyBWIya1sbB1gYq19uP55shgqwFkFTWNGVQc/l17
        fXMwt7N2fwKBgGzRQU1RcFp+LEYoRyUAPfdNyvgklrMYt99uj7/zV+DVs6QvGXv0
        C1jFmM3z3Ygr0Q/+xQSxC5V2iUsEvv8Sbwg9YHnECm5vIs6TVzcJ77URZpmHZaff
        +KEn2Bf23xkVYA91YE3rUBsP69xP0NWJTZ5n2aVsT7r5AntJ1XIbDkrFAoGBALa6
        V92PI/7utMoPQv6pQACzKXOnkcr2wn0G2kBdZVYhigI/7Gx1wf7eKY03V1JFP8TT
        VqWx110nIUqze1gykvRXAmxS24Zkpj9ngrBSAveLV3RLfFzGIV0C8Cs26mIzj5KU
        MDEuqXdfPqgKRg4uT4lQzNu7pUPsHXX4pg4QnjYNAoGAX1eI75uO+/qsB4lMAgwJ
        wdpovaFMTm/gi6vfpHKFRV2XgTwXQN3uRRtzgoJp2FvNbo8AMVwmqJL57XYO6XbB
        BTNZ7EPHVQUpRDp2gRPq5Ik926gMPgaCu8tkUTke/kZMTWcF59DZ0qa6FHLDou10
        qJq6gycncSoGnWQfKtQmCjo=
        -----END PRIVATE KEY-----
        """
}
