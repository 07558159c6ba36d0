/// The source that the mutated package gets in its lowest module: the functions and operators that ask at run time whether
/// their mutant is the one that `PALLIUM_MUTANT` names. The file that `PALLIUM_MUTANTS_REACHED` names has a byte for each
/// mutant; the byte becomes 1 when the place is reached, in whatever process, even if it crashes.
struct MutantSwitch {
    private let mutations: [Int: Mutation]

    /// For mutations by their number.
    init(_ mutations: [Int: Mutation]) { self.mutations = mutations }

    var source: String {
        Self.common + mutations.sorted { $0.key < $1.key }.map { operators($0.key, $0.value) }.joined()
    }

    /// Why the compiler objects to a change of what is returned where nothing is.
    static let returnsNothing = "nothing is returned"

    private static let common = """
        import Foundation
        #if canImport(Glibc)
        import Glibc
        #endif
        public let activeMutant: Int = getenv("PALLIUM_MUTANT").flatMap { Int(String(cString: $0)) } ?? -1
        private let size = 65536
        public nonisolated(unsafe) let mutantReached: UnsafeMutablePointer<UInt8> = {
            var address: UnsafeMutableRawPointer?
            if let path = getenv("PALLIUM_MUTANTS_REACHED") {
                let file = open(path, O_RDWR)
                address = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                close(file)
            } else {
                address = malloc(size)
            }
            return address!.assumingMemoryBound(to: UInt8.self)
        }()
        @inline(never) public func isMutant(_ id: Int) -> Bool {
            mutantReached[id] = 1
            return id == activeMutant
        }
        public func mutantKept(_ id: Int) -> Bool { !isMutant(id) }
        public func mutantNegated(_ id: Int, _ value: Bool) -> Bool { isMutant(id) ? !value : value }
        public func mutantNone<T>(_ id: Int, _ value: T?) -> T? { isMutant(id) ? nil : value }
        public func mutantEither<T>(_ id: Int, _ value: T, _ other: T) -> T { isMutant(id) ? other : value }
        public func mutantResult(_ id: Int, _ value: Bool) -> Bool { isMutant(id) ? !value : value }
        public func mutantResult<T: FixedWidthInteger>(_ id: Int, _ value: T) -> T { isMutant(id) ? value &+ 1 : value }
        public func mutantResult<T: FloatingPoint>(_ id: Int, _ value: T) -> T { isMutant(id) ? value + 1 : value }
        public func mutantResult<T: RangeReplaceableCollection>(_ id: Int, _ value: T) -> T { isMutant(id) ? T() : value }
        public func mutantResult<K, V>(_ id: Int, _ value: [K: V]) -> [K: V] { isMutant(id) ? [:] : value }
        public func mutantResult<T>(_ id: Int, _ value: Set<T>) -> Set<T> { isMutant(id) ? [] : value }
        public func mutantResult<T>(_ id: Int, _ value: T) -> Any { isMutant(id) ? "mutant" : value }
        @available(*, deprecated, message: "\(returnsNothing)")
        public func mutantResult(_ id: Int, _ value: Void) {}
        @_disfavoredOverload
        public func mutantResult<T>(_ id: Int, _ value: T?) -> T? { isMutant(id) ? nil : value }

        """

    private func operators(_ id: Int, _ mutation: Mutation) -> String {
        guard case .replace(let text) = mutation.edit, text.hasSuffix("OP") else { return "" }
        let original = String(text.dropLast(2))
        let name = original + operatorText(of: id)
        let other = mutation.plain
        func function(_ generic: String, _ left: String, _ right: String, _ result: String, _ changed: String) -> String
        {
            """
            public func \(name)\(generic)(l: \(left), r: \(right)) -> \(result) {
                isMutant(\(id)) ? \(changed) : l \(original) r
            }

            """
        }
        func assignment(_ generic: String, _ left: String, _ right: String) -> String {
            """
            public func \(name)\(generic)(l: inout \(left), r: \(right)) {
                if isMutant(\(id)) { l \(other) r } else { l \(original) r }
            }

            """
        }
        func infix(_ precedence: String) -> String { "infix operator \(name): \(precedence)Precedence\n" }
        let changed = "l \(other) r"
        switch mutation.operator {
        case .boundary: return infix("Comparison") + function("<T: Comparable>", "T", "T", "Bool", changed)
        case .equality where original.count == 3:
            return infix("Comparison") + function("", "AnyObject?", "AnyObject?", "Bool", changed)
        case .equality:
            return infix("Comparison") + function("<T: Equatable>", "T", "T", "Bool", changed)
                + function("<T>", "T?", "_OptionalNilComparisonType", "Bool", changed)
                + function("", "Any.Type?", "Any.Type?", "Bool", changed)
        case .logic:
            return infix(original == "&&" ? "LogicalConjunction" : "LogicalDisjunction") + """
                public func \(name)(l: Bool, r: @autoclosure () throws -> Bool) rethrows -> Bool {
                    if isMutant(\(id)) { try l \(other) r() } else { try l \(original) r() }
                }

                """
        case .not:
            return """
                prefix operator \(name)
                public prefix func \(name)(value: Bool) -> Bool { isMutant(\(id)) ? value : !value }

                """
        case .arithmetic where original.hasSuffix("="), .bits where original.hasSuffix("="):
            return infix("Assignment") + assignment("<T: FixedWidthInteger>", "T", "T")
                + (["+=", "-="].contains(original) ? assignment("<T: _Pointer>", "T", "T.Stride") : "")
                + (original.hasPrefix("&") || mutation.operator == .bits
                    ? "" : assignment("<T: FloatingPoint>", "T", "T"))
        case .arithmetic:
            let isSum = original.hasSuffix("+") || original.hasSuffix("-")
            return infix(isSum ? "Addition" : "Multiplication")
                + function("<T: FixedWidthInteger>", "T", "T", "T", changed)
                + (["+", "-"].contains(original) ? function("<T: _Pointer>", "T", "T.Stride", "T", changed) : "")
                + (original == "+" ? function("<T: RangeReplaceableCollection>", "T", "T", "T", "l") : "")
                + (["+", "-", "*", "/"].contains(original)
                    ? function("<T: FloatingPoint>", "T", "T", "T", changed) : "")
        case .bits where original.count == 2:
            return infix("BitwiseShift") + function("<T: FixedWidthInteger, R: BinaryInteger>", "T", "R", "T", changed)
        case .bits:
            return infix(original == "&" ? "Multiplication" : "Addition")
                + function("<T: FixedWidthInteger>", "T", "T", "T", changed)
        case .range:
            return infix("RangeFormation") + """
                public func \(name)<T: Strideable>(l: T, r: T) -> Range<T> where T.Stride: SignedInteger {
                    isMutant(\(id)) ? l..<r.advanced(by: 1) : l..<r
                }

                """
        case .fallback:
            return infix("NilCoalescing") + """
                public func \(name)<T>(l: T?, r: @autoclosure () throws -> T) rethrows -> T {
                    if isMutant(\(id)) { try r() } else { try l ?? r() }
                }
                public func \(name)<T>(l: T?, r: @autoclosure () throws -> T?) rethrows -> T? {
                    if isMutant(\(id)) { try r() } else { try l ?? r() }
                }

                """
        case .literal, .condition, .binding, .removal, .result: return ""
        }
    }
}
