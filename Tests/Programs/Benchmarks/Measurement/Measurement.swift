/// What the process of a row prints.
struct Measurement: Codable {
    /// Nanoseconds per thing, or bytes.
    let ours: Double
    let baseline: Double
    /// Whether both sides did equal work and every wrong document was refused.
    let counts: Bool
}
