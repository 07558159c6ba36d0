import PalliumCore
import PalliumJSON

/// Makes names different by numbers behind them: `name`, `name2`, `name3`.
package struct UniqueNames {
    /// The text between a name and its number.
    private let separator: String
    /// Whether names that differ in case only are one name.
    private let ignoresCase: Bool
    private var taken: Set<UTF8Key> = []
    /// The numbers from which free names are searched, so that many equal names take linear time.
    private var nextNumbers: [UTF8Key: Int] = [:]

    package init(separator: String = "", ignoresCase: Bool = false) {
        self.separator = separator
        self.ignoresCase = ignoresCase
    }

    private func key(_ name: String) -> UTF8Key { UTF8Key(ignoresCase ? name.inLowercase : name) }

    /// Takes a name.
    ///
    /// - Returns: Whether it was free.
    @discardableResult
    package mutating func insert(_ name: String) -> Bool { taken.insert(key(name)).inserted }

    /// Takes a name, or the first free one with a number.
    package mutating func take(_ name: String) -> String { insert(name) ? name : numbered(name) }

    /// Takes the first free name with a number, which counts from 2.
    package mutating func numbered(_ name: String) -> String {
        var number = nextNumbers[key(name)] ?? 2
        while !insert("\(name)\(separator)\(number)") { number += 1 }
        nextNumbers[key(name)] = number + 1
        return "\(name)\(separator)\(number)"
    }
}
