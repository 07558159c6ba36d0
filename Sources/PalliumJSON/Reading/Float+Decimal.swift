extension Float {
    /// The Float nearest to a decimal number, of which the nearest Double is known.
    ///
    /// The nearest Double lies on the same side of every point between two Floats as the number itself, unless it is such
    /// a point. Only then the text is asked for and read by the standard library, whose conversion rounds correctly.
    init(roundingOnce double: Double, _ text: () -> String) {
        let nearest = Float(double.magnitude)
        let below = Double(nearest) > double.magnitude ? nearest.nextDown : nearest
        // Beyond the largest Float there would be 2^128.
        let above = below.nextUp.isFinite ? Double(below.nextUp) : 0x1p128
        if below.isFinite, double.magnitude - Double(below) == above - double.magnitude, let float = Float(text()) {
            self = float
        } else {
            self = Float(double)
        }
    }
}
