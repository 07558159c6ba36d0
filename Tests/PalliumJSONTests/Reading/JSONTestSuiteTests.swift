import Foundation
import PalliumJSON
import TestSupport
import Testing

/// The parsing files of Nicolas Seriot's JSONTestSuite: `y_` must be accepted, `n_` refused, `i_` is up to us.
enum JSONTestSuite {
    static let folder = SharedData.folder.appendingPathComponent("JSONTestSuite/test_parsing")

    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".json") }.sorted()

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    /// What becomes of the files the standard leaves open.
    static let openOutcomes: [String: JSONSyntaxError.Code?] = [
        "i_number_double_huge_neg_exp.json": .none,
        "i_number_huge_exp.json": .none,
        "i_number_neg_int_huge_exp.json": .none,
        "i_number_pos_double_huge_exp.json": .none,
        "i_number_real_neg_overflow.json": .none,
        "i_number_real_pos_overflow.json": .none,
        "i_number_real_underflow.json": .none,
        "i_number_too_big_neg_int.json": .none,
        "i_number_too_big_pos_int.json": .none,
        "i_number_very_big_negative_int.json": .none,
        "i_object_key_lone_2nd_surrogate.json": .loneSurrogate,
        "i_string_1st_surrogate_but_2nd_missing.json": .loneSurrogate,
        "i_string_1st_valid_surrogate_2nd_invalid.json": .loneSurrogate,
        "i_string_UTF-16LE_with_BOM.json": .unsupportedEncoding,
        "i_string_UTF-8_invalid_sequence.json": .invalidUTF8,
        "i_string_UTF8_surrogate_U+D800.json": .invalidUTF8,
        "i_string_incomplete_surrogate_and_escape_valid.json": .loneSurrogate,
        "i_string_incomplete_surrogate_pair.json": .loneSurrogate,
        "i_string_incomplete_surrogates_escape_valid.json": .loneSurrogate,
        "i_string_invalid_lonely_surrogate.json": .loneSurrogate,
        "i_string_invalid_surrogate.json": .loneSurrogate,
        "i_string_invalid_utf-8.json": .invalidUTF8,
        "i_string_inverted_surrogates_U+1D11E.json": .loneSurrogate,
        "i_string_iso_latin_1.json": .invalidUTF8,
        "i_string_lone_second_surrogate.json": .loneSurrogate,
        "i_string_lone_utf8_continuation_byte.json": .invalidUTF8,
        "i_string_not_in_unicode_range.json": .invalidUTF8,
        "i_string_overlong_sequence_2_bytes.json": .invalidUTF8,
        "i_string_overlong_sequence_6_bytes.json": .invalidUTF8,
        "i_string_overlong_sequence_6_bytes_null.json": .invalidUTF8,
        "i_string_truncated-utf-8.json": .invalidUTF8,
        "i_string_utf16BE_no_BOM.json": .unsupportedEncoding,
        "i_string_utf16LE_no_BOM.json": .unsupportedEncoding,
        "i_structure_500_nested_arrays.json": .none,
        "i_structure_UTF-8_BOM_empty_object.json": .none,
    ]
}

@Suite(.needs(shared: "JSONTestSuite/test_parsing"))
struct JSONTestSuiteTests {
    @Test func theSuiteIsComplete() {
        #expect(JSONTestSuite.names.filter { $0.hasPrefix("y_") }.count == 95)
        #expect(JSONTestSuite.names.filter { $0.hasPrefix("n_") }.count == 188)
        #expect(Set(JSONTestSuite.names.filter { $0.hasPrefix("i_") }) == Set(JSONTestSuite.openOutcomes.keys))
    }

    @Test(arguments: JSONTestSuite.names)
    func everyWayThroughAFileHasTheRightVerdict(name: String) throws {
        let bytes = try JSONTestSuite.bytes(name)
        let reading = verdictOfReading(bytes)
        #expect(verdictOfSkipping(bytes) == reading)
        #expect(verdictOfWalking(bytes) == reading)
        if let open = JSONTestSuite.openOutcomes[name] {
            #expect(reading?.code == open)
        } else {
            #expect((reading == nil) == name.hasPrefix("y_"))
        }
    }

    @Test(arguments: JSONTestSuite.names.filter { $0.hasPrefix("y_") })
    func whatWasReadIsWrittenAndReadAgain(name: String) throws {
        let value = try JSONValue(parsing: JSONTestSuite.bytes(name))
        #expect(try JSONValue(parsing: value.bytes()) == value)
    }
}
