enum PlaceholderLandfallTesting {}
