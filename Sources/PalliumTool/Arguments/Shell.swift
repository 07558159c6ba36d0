/// The shells that complete the tool's arguments.
enum Shell: String, CaseIterable { case bash, zsh, fish }
