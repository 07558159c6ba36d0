import Foundation
import PalliumCore
import TestSupport
import Testing

@Suite("Base64")
struct Base64TextTests {
    private func decode(_ text: String) -> Data? {
        withExactMemory(Array(text.utf8)) { Base64Text.decode($0) }
    }

    @Test(
        "The test vectors of RFC 4648, section 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ]
    )
    func followsTheStandard(plain: String, text: String) {
        #expect(decode(text) == Data(plain.utf8))
    }

    @Test("Random bytes of every length are read back", arguments: 0...130)
    func agreesWithFoundation(count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        let data = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
        #expect(decode(data.base64EncodedString()) == data)
    }

    @Test(
        "Refused texts",
        arguments: [
            "Zg", "Zg=", "Z===", "=", "==", "====", "=g==", "Zg==Zg==", "Zm8=Zm8=", "Zm9v====", "Zm9v\n", "Zm9v\r\n",
            "Zm 9",
            " Zm9", "Zm9v ", "Zh==", "Zn==", "Zm9=", "Zm+=", "-_8=", "Zg=a", "Z=g=", "Zm9é", "Zm9\0", "Zm9v=", "Zm9vA",
            "Zm9vAA",
        ]
    )
    func refuses(text: String) {
        #expect(decode(text) == nil)
    }

    @Test("Each byte in each place is judged by the definition")
    func judgesEveryByte() {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var failures: [[UInt8]] = []
        for place in 0..<8 {
            for byte in UInt8.min...UInt8.max {
                var bytes = Array("Zm9vYmFy".utf8)
                bytes[place] = byte
                // A padding sign at the very end: `Ymf=` would be right only with the last two bits clear.
                let isPadding = place == 7 && byte == UInt8(ascii: "=")
                let decoded = withExactMemory(bytes) { Base64Text.decode($0) }
                if (decoded != nil) != alphabet.contains(byte), !isPadding {
                    failures.append(bytes)
                }
                if let decoded, decoded.base64EncodedString() != String(decoding: bytes, as: UTF8.self) {
                    failures.append(bytes)
                }
            }
        }
        #expect(failures.isEmpty)
    }

    @Test("A text that is read is the only one of its bytes", .trials)
    func readsOneTextOnly() {
        let trials = Trials(1000)
        let alphabet = Array("ABab01+/==\n-_ ".utf8)
        var failures: [[UInt8]] = []
        var acceptedCount = 0
        for seed in trials {
            var generator = SeededGenerator(seed: seed)
            let bytes = mutated(Array("Zm9vYmE=".utf8), alphabet: alphabet, using: &generator)
            if let data = withExactMemory(bytes, { Base64Text.decode($0) }) {
                acceptedCount += 1
                if Array(data.base64EncodedString().utf8) != bytes {
                    failures.append(bytes)
                }
            }
        }
        #expect(failures.isEmpty)
        #expect(acceptedCount > trials.count / 50)
    }
}
