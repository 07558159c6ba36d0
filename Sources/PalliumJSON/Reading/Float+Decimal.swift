/// Rounds decimal numbers to Float once.
extension Float {
    /// Rounds a decimal number to the nearest Float, given the nearest Double.
    ///
    /// The nearest Double lies on the same side of every midpoint of two Floats as the number itself, unless it is such
    /// a midpoint. Only then the standard library converts the text, and it rounds correctly.
    init(roundingOnce double: Double, _ text: () -> String) {
        let nearest = Float(double.magnitude)
        let below = Double(nearest) > double.magnitude ? nearest.nextDown : nearest
        // After the largest Float, 2^128 would follow.
        let above = below.nextUp.isFinite ? Double(below.nextUp) : 0x1p128
        if below.isFinite, double.magnitude - Double(below) == above - double.magnitude, let float = Float(text()) {
            self = float
        } else {
            self = Float(double)
        }
    }
}
