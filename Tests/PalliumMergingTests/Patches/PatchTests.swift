import Foundation
import Pallium
import Testing

struct PatchTests {
    /// The cases of RFC 6902 appendix A that succeed: document, patch, result.
    static let appendix = [
        (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#, #"{"foo":"bar","baz":"qux"}"#),
        (#"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#, #"{"foo":["bar","qux","baz"]}"#),
        (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
        (#"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#, #"{"foo":["bar","baz"]}"#),
        (
            #"{"baz":"qux","foo":"bar"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#,
            #"{"baz":"boo","foo":"bar"}"#
        ),
        (
            #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
            #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
            #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
        ),
        (
            #"{"foo":["all","grass","cows","eat"]}"#, #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
            #"{"foo":["all","cows","eat","grass"]}"#
        ),
        (
            #"{"baz":"qux","foo":["a",2,"c"]}"#,
            #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
            #"{"baz":"qux","foo":["a",2,"c"]}"#
        ),
        (
            #"{"foo":"bar"}"#, #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
            #"{"foo":"bar","child":{"grandchild":{}}}"#
        ),
        (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#, #"{"foo":"bar","baz":"qux"}"#),
        (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#),
        (
            #"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#,
            #"{"foo":["bar",["abc","def"]]}"#
        ),
    ]

    /// What else operations do.
    static let others = [
        ("[1]", "[]", "[1]"),
        (#"{"a":1}"#, #"[{"op":"add","path":"","value":2}]"#, "2"),
        (#"{"a":1}"#, #"[{"op":"replace","path":"","value":null}]"#, "null"),
        (#"{"a":1}"#, #"[{"op":"add","path":"/a","value":2}]"#, #"{"a":2}"#),
        (#"{"a":1}"#, #"[{"op":"add","path":"/","value":2}]"#, #"{"a":1,"":2}"#),
        (#"{"":{"":1}}"#, #"[{"op":"remove","path":"//"}]"#, #"{"":{}}"#),
        ("[]", #"[{"op":"add","path":"/0","value":1},{"op":"add","path":"/0","value":0}]"#, "[0,1]"),
        ("[0,1]", #"[{"op":"add","path":"/2","value":2}]"#, "[0,1,2]"),
        (#"{"0":1}"#, #"[{"op":"replace","path":"/0","value":2}]"#, #"{"0":2}"#),
        (#"{"-":1}"#, #"[{"op":"add","path":"/-","value":2}]"#, #"{"-":2}"#),
        (#"{"a":1}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#, #"{"a":1}"#),
        (#"{"a":[1]}"#, #"[{"op":"move","from":"/a/0","path":"/a/-"}]"#, #"{"a":[1]}"#),
        (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":"/a"}]"#, #"{"a":1}"#),
        (#"{"a":{"b":1}}"#, #"[{"op":"copy","from":"/a","path":"/a/c"}]"#, #"{"a":{"b":1,"c":{"b":1}}}"#),
        (#"{"a":1}"#, #"[{"op":"copy","from":"","path":"/b"}]"#, #"{"a":1,"b":{"a":1}}"#),
        // A copy has its own life.
        (
            #"{"a":{"b":[1]}}"#,
            #"[{"op":"add","path":"/a/b/-","value":2},{"op":"copy","from":"/a","path":"/c"},"#
                + #"{"op":"remove","path":"/a/b/0"},{"op":"add","path":"/c/b/0","value":0}]"#,
            #"{"a":{"b":[2]},"c":{"b":[0,1,2]}}"#
        ),
        // Numbers by value, strings by bytes, objects without regard to order.
        (
            #"{"a":1,"b":0.1,"c":1e400,"d":{"e":1,"f":[2]}}"#,
            #"[{"op":"test","path":"/a","value":1.0e0},{"op":"test","path":"/b","value":10e-2},"#
                + #"{"op":"test","path":"/c","value":0.1e401},{"op":"test","path":"/d","value":{"f":[2],"e":1}},"#
                + #"{"op":"remove","path":"/d"}]"#,
            #"{"a":1,"b":0.1,"c":1e400}"#
        ),
    ]

    @Test(arguments: appendix + others)
    func operationsDoWhatTheStandardSays(document: String, patch: String, result: String) throws {
        let patch = try JSONPatch(parsing: patch)
        #expect(try patch.applied(to: JSONValue(parsing: document)).text() == result)
    }

    /// Patches that cannot be applied to `{"a":[1,2],"b":{"c":"é"},"n":null}`: patch, code, pointer.
    static let refused = [
        (#"[{"op":"add","path":"/x/y","value":1}]"#, ModelError.Code.missingTarget, "/x"),
        (#"[{"op":"add","path":"/b/c/d","value":1}]"#, .missingTarget, "/b/c"),
        (#"[{"op":"add","path":"/n/d","value":1}]"#, .missingTarget, "/n"),
        (#"[{"op":"add","path":"/a/3","value":1}]"#, .missingTarget, "/a/3"),
        (#"[{"op":"add","path":"/a/01","value":1}]"#, .missingTarget, "/a/01"),
        (#"[{"op":"add","path":"/a/-1","value":1}]"#, .missingTarget, "/a/-1"),
        (#"[{"op":"add","path":"/a/1e0","value":1}]"#, .missingTarget, "/a/1e0"),
        (#"[{"op":"add","path":"/a/","value":1}]"#, .missingTarget, "/a/"),
        (#"[{"op":"add","path":"/a/99999999999999999999","value":1}]"#, .missingTarget, "/a/99999999999999999999"),
        (#"[{"op":"add","path":"/a/٣","value":1}]"#, .missingTarget, "/a/٣"),
        (#"[{"op":"add","path":"/a/-/b","value":1}]"#, .missingTarget, "/a/-"),
        (#"[{"op":"remove","path":"/a/-"}]"#, .missingTarget, "/a/-"),
        (#"[{"op":"remove","path":"/a/2"}]"#, .missingTarget, "/a/2"),
        (#"[{"op":"remove","path":"/x"}]"#, .missingTarget, "/x"),
        (#"[{"op":"remove","path":""}]"#, .invalidValue, ""),
        (#"[{"op":"remove","path":"/n/x"}]"#, .missingTarget, "/n"),
        (#"[{"op":"replace","path":"/n/0","value":1}]"#, .missingTarget, "/n"),
        (#"[{"op":"replace","path":"/x","value":1}]"#, .missingTarget, "/x"),
        (#"[{"op":"replace","path":"/a/-","value":1}]"#, .missingTarget, "/a/-"),
        (#"[{"op":"remove","path":"/a/0"},{"op":"replace","path":"/a/1","value":1}]"#, .missingTarget, "/a/1"),
        (#"[{"op":"move","from":"/x","path":"/y"}]"#, .missingTarget, "/x"),
        (#"[{"op":"move","from":"/x","path":"/x"}]"#, .missingTarget, "/x"),
        (#"[{"op":"move","from":"/b","path":"/b/d"}]"#, .invalidValue, "/b/d"),
        (#"[{"op":"move","from":"","path":"/d"}]"#, .invalidValue, "/d"),
        (#"[{"op":"move","from":"/a/0","path":"/a/2"}]"#, .missingTarget, "/a/2"),
        (#"[{"op":"copy","from":"/a/2","path":"/y"}]"#, .missingTarget, "/a/2"),
        (#"[{"op":"test","path":"/a","value":[1]}]"#, .testFailed, "/a"),
        (#"[{"op":"test","path":"/a/0","value":"1"}]"#, .testFailed, "/a/0"),
        (#"[{"op":"test","path":"/b/c","value":"e\u0301"}]"#, .testFailed, "/b/c"),
        (#"[{"op":"test","path":"/n","value":false}]"#, .testFailed, "/n"),
        (#"[{"op":"test","path":"/x","value":null}]"#, .missingTarget, "/x"),
        (#"[{"op":"test","path":"/b/c/d","value":"é"}]"#, .missingTarget, "/b/c"),
    ]

    @Test(arguments: refused)
    func patchesThatDoNotFitAreRefusedWithAPlace(text: String, code: ModelError.Code, pointer: String) throws {
        let document: JSONValue = ["a": [1, 2], "b": ["c": "\u{E9}"], "n": nil]
        let patch = try JSONPatch(parsing: text)
        let error = try #require(throws: ModelError.self) { try patch.applied(to: document) }
        #expect(error.code == code)
        #expect(error.pointer == JSONPointer(pointer))
        #expect("\(error)".utf8.count < 256)
    }

    /// Documents that are no patches: text, code, pointer.
    static let malformed = [
        ("[", ModelError.Code.malformedJSON, String?.none),
        ("{}", .typeMismatch, ""), ("[1]", .typeMismatch, "/0"),
        (#"[{"op":"add","path":"/a","op":"remove","value":1}]"#, .duplicateMember, nil),
        (#"[{"path":"/a"}]"#, .missingProperty, "/0"),
        (#"[{"op":"remove","path":"/a"},{"op":"remove"}]"#, .missingProperty, "/1"),
        (#"[{"op":"add","path":"/a"}]"#, .missingProperty, "/0"),
        (#"[{"op":"move","path":"/a"}]"#, .missingProperty, "/0"),
        (#"[{"op":"Add","path":"/a","value":1}]"#, .unknownCase, "/0/op"),
        (#"[{"op":7,"path":"/a","value":1}]"#, .typeMismatch, "/0/op"),
        (#"[{"op":"add","path":null,"value":1}]"#, .typeMismatch, "/0/path"),
        (#"[{"op":"add","path":"a","value":1}]"#, .invalidValue, "/0/path"),
        (#"[{"op":"copy","from":"/~2","path":"/a"}]"#, .invalidValue, "/0/from"),
    ]

    @Test(arguments: malformed)
    func otherDocumentsAreNoPatches(text: String, code: ModelError.Code, pointer: String?) throws {
        let error = try #require(throws: ModelError.self) { try JSONPatch(parsing: text) }
        #expect(error.code == code)
        #expect(error.pointer == pointer.flatMap { JSONPointer($0) })
        #expect((error.location == nil) == (pointer != nil))
    }

    @Test func errorsSayWhatWasExpectedAndWhichOperationFailed() throws {
        func sentence(_ patch: String) -> String? {
            do throws(ModelError) {
                _ = try JSONPatch(parsing: patch).applied(to: ["a": [1, 2], "token": "hush"])
                return nil
            } catch { return "\(error)" }
        }
        #expect(
            sentence(#"[{"op":"remove","path":"/a/0"},{"op":"remove","path":"/a/5"}]"#)
                == "expected a position below 1 to be given by operation 1 (remove) but found 5 at /a/5")
        #expect(
            sentence(#"[{"op":"test","path":"/token","value":"x"}]"#)
                == "expected the value to be a string as given by operation 0 (test) but found another at /token")
        #expect(
            sentence(#"[{"op":"replce","path":"/a","value":1}]"#)
                == #"expected one of add, remove, replace, move, copy, test but found "replce" at /0/op; did you mean "replace"?"#
        )
    }

    @Test func patchesAreWrittenAsTheyAreRead() throws {
        let text =
            #"[{"op":"add","path":"/a~1b/-","value":null},{"op":"remove","path":""},{"op":"replace","path":"/","value":[1]},"#
            + #"{"op":"move","from":"/a","path":"/b"},{"op":"copy","from":"/~0","path":"/b"},{"op":"test","path":"/c","value":{}}]"#
        let patch = try JSONPatch(parsing: text)
        #expect(try patch.jsonValue.text() == text)
        #expect(try JSONPatch(patch.jsonValue) == patch)
        #expect(
            patch.operations.first == .add(["a/b", "-"], nil) && patch.operations.count == 6)
    }
}
