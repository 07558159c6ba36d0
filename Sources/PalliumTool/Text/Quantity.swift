import Pallium

/// Formats amounts for people.
package enum Quantity {
    /// `512 bytes`, `22.9 kB`, `1.3 GB`: decimal units, cut after one digit.
    package static func size(_ bytes: Int) -> String {
        if bytes < 1000 { return count(bytes, "byte") }
        var unit = 1000
        var names = ["kB", "MB", "GB", "TB"][...]
        while bytes / unit >= 1000, names.count > 1 {
            unit *= 1000
            names.removeFirst()
        }
        return "\(bytes / unit).\(bytes % unit * 10 / unit) \(names.first ?? "")"
    }

    /// `12 ms`, `3.4 s`: cut after the last digit shown.
    package static func time(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        if milliseconds < 1000 { return "\(Int(milliseconds)) ms" }
        return "\(Int(milliseconds / 1000)).\(Int(milliseconds) % 1000 / 100) s"
    }

    /// `1 model`, `2 models`, `no models`.
    package static func count(_ number: Int, _ noun: String) -> String {
        number == 0 ? "no \(noun)s" : number.counted(noun)
    }
}
