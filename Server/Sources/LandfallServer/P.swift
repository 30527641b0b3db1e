import Hummingbird
import AsyncHTTPClient
import JWTKit
import Yams
enum P {}
