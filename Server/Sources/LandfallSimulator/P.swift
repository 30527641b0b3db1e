enum PlaceholderLandfallSimulator {}
