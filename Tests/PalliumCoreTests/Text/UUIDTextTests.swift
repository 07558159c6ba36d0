import Foundation
import PalliumCore
import TestSupport
import Testing

@Suite("UUIDs as text")
struct UUIDTextTests {
    @Test("Random UUIDs are read as Foundation does, lower case included (C263, C265)", .trials)
    func agreesWithFoundation() {
        var failures: [String] = []
        for seed in Trials(200) {
            var generator = SeededGenerator(seed: seed)
            let words = (generator.next(), generator.next())
            let value = withUnsafeBytes(of: words) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
            for spelling in [value.uuidString, value.uuidString.lowercased()] {
                if withExactMemory(Array(spelling.utf8), { UUIDText.parse($0) }) != value { failures.append(spelling) }
            }
        }
        #expect(failures.isEmpty)
    }

    @Test("Every replacement of one byte is judged by the definition")
    func judgesEveryByte() {
        let template = "4A275fbd-8217-4397-964B-403F4C2B8545"
        let bytes = Array(template.utf8)
        let hexadecimal = Set("0123456789abcdefABCDEF".utf8)
        var failures: [[UInt8]] = []
        forEachReplacement(in: template) { changed, place in
            let (former, byte) = (bytes[place], changed[place])
            let isRight = former == UInt8(ascii: "-") ? byte == former : hexadecimal.contains(byte)
            let parsed = withExactMemory(changed) { UUIDText.parse($0) }
            let expected = isRight ? UUID(uuidString: String(decoding: changed, as: UTF8.self)) : nil
            if parsed != expected || (parsed != nil) != isRight {
                failures.append(changed)
            }
        }
        #expect(failures.isEmpty)
    }

    @Test(
        "Refused texts",
        arguments: [
            "", "not a valid UUID", "4A275FBD821743977964B403F4C2B8545", "{4A275FBD-8217-4397-964B-403F4C2B8545}",
            "4A275FBD-8217-4397-964B-403F4C2B854", "4A275FBD-8217-4397-964B-403F4C2B85450",
            " 4A275FBD-8217-4397-964B-403F4C2B8545", "4A275FB-D8217-4397-964B-403F4C2B8545",
            "4A275FBD-8217-4397-964B-403F4C2B8545\0",
        ]
    )
    func refuses(text: String) {
        #expect(withExactMemory(Array(text.utf8)) { UUIDText.parse($0) } == nil)
    }
}
