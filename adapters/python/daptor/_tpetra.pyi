loaded: bool
