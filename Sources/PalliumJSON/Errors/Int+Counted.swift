extension Int {
    /// The number with a noun that agrees with it: `1 level`, `2 levels`, `1 property`, `0 properties`.
    ///
    /// - Parameter plural: The plural of a noun that does not get an s.
    package func counted(_ noun: String, _ plural: String? = nil) -> String {
        self == 1 ? "1 \(noun)" : "\(self) \(plural ?? noun + "s")"
    }
}
