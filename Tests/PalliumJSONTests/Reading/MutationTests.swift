import PalliumJSON
import TestSupport
import Testing

struct MutationTests {
    static let seeds = [
        #"{"a":[1,-2.5e3,"x\u00e9\n",true,false,null,{}],"b":{"c":[[],[[]]],"a":"\ud83d\ude00é€😀"},"a":0.1}"#,
        #" [ "abcdefghijklmnopqrstuvwxyz" , 12345678901234567890 , 1E+400 , { "long member name" : [ ] } ] "#,
    ].map { Array($0.utf8) }

    static let alphabet = Array(#"{}[]",:\/utfn019.eE+- "#.utf8) + [0, 0x0A, 0x1F, 0x80, 0xC3, 0xE2, 0xED, 0xF0, 0xFF]

    /// Whatever is done to a text, all ways through it agree, and what is accepted reads back from what is written.
    @Test(.trials) func everyWayThroughADamagedTextHasTheSameVerdict() throws {
        let trials = Trials(400)
        var accepted = 0
        for seed in trials {
            var random = SeededGenerator(seed: seed)
            var text = Self.seeds[Int(random.next() % 2)]
            for _ in 0...(random.next() % 3) where !text.isEmpty {
                let position = Int(random.next() % UInt64(text.count))
                let byte = Self.alphabet[Int(random.next() % UInt64(Self.alphabet.count))]
                switch random.next() % 4 {
                case 0: text[position] = byte
                case 1: text.insert(byte, at: position)
                case 2: text.remove(at: position)
                default: text.removeSubrange(position...)
                }
            }
            let reading = verdictOfReading(text)
            if verdictOfSkipping(text) != reading || verdictOfWalking(text) != reading {
                Issue.record("\(text): \(String(describing: reading))")
            }
            if reading == nil {
                accepted += 1
                let value = try JSONValue(parsing: text)
                if try JSONValue(parsing: value.bytes()) != value { Issue.record("\(text) changed by writing") }
            }
        }
        #expect(
            (trials.count / 50..<trials.count * 49 / 50).contains(accepted),
            "the damage is neither too small nor too great")
    }
}
