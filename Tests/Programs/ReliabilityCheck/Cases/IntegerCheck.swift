import Pallium

/// Number text to 64-bit integers: exact or refused, never clipped.
enum IntegerCheck {
    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        let signed = try Holder(.integer)
        let unsigned = try Holder(.unsigned)
        for path in arguments.operands {
            for item in try CaseFile(path).cases {
                let text = try item.text("t")
                let bytes = Array(text.utf8)
                let name = "line \(item.line): \(text.prefix(80))"
                guard NumberGrammar.isNumber(bytes) else {
                    let read = signed.read(bytes, as: Int64.self, &tally)
                    tally.check(read == nil, "\(name) is no JSON number but was read")
                    continue
                }
                let integer = ExactInteger(text)
                let isInteger = try item.required("exactInteger") { $0 }
                // The file knows better than our reference, and tells when they disagree.
                let exact = isInteger.boolValue ?? !isInteger.isNull
                if let expected = isInteger.stringValue ?? isInteger.numberValue?.text, let integer {
                    tally.check(expected == integer.text, "\(name): the file says \(expected), it is \(integer.text)")
                }
                let fits = try item.flag("fitsInt64")
                let read = signed.read(bytes, as: Int64.self, &tally)
                tally.check(
                    exact && fits ? read.map(String.init) == integer?.text : read == nil,
                    "\(name) as a signed integer is \(String(describing: read))")
                let fitsUnsigned =
                    item.members["fitsUInt64"]?.boolValue ?? integer.map { UInt64($0.text) != nil } ?? false
                let readUnsigned = unsigned.read(bytes, as: UInt64.self, &tally)
                tally.check(
                    exact && fitsUnsigned ? readUnsigned.map(String.init) == integer?.text : readUnsigned == nil,
                    "\(name) as an unsigned integer is \(String(describing: readUnsigned))")
            }
        }
    }
}
