// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "moved-app",
    platforms: [.iOS(.v16), .macOS(.v14)],
    dependencies: [
        .package(url: "https://git.example.com/acme/landfall-names.git", from: "0.1.0"),
        .package(url: "https://git.example.com/acme/landfall.git", from: "0.1.0"),
    ],
    targets: [
        .target(
            name: "MovedShop",
            dependencies: [
                .product(name: "Adapty", package: "landfall-names"),
                .product(name: "AdaptyLogger", package: "landfall-names"),
                .product(name: "AdaptyUI", package: "landfall-names"),
                .product(name: "Adjust", package: "landfall-names"),
                .product(name: "Landfall", package: "landfall"),
            ]
        )
    ]
)
