enum PlaceholderApple {}
