import Foundation
import Pallium
import RunSupport
import TestSupport
import Testing

/// The order of members changes no model, whatever order came before, on any number of threads.
struct MemberOrderTests {
    private static let members = [
        #""id":7"#, #""text":"seven""#, #""value":[1,{"id":2}]"#, #""items":[{"text":"x","id":8},{"id":9}]"#,
    ]

    /// Every order of the members, with an unknown one at each place.
    private static let documents: [String] = {
        func orders(_ members: [String]) -> [[String]] {
            members.isEmpty
                ? [[]]
                : members.flatMap { first in
                    orders(members.filter { $0 != first }).map { [first] + $0 }
                }
        }
        return orders(members).flatMap { order in
            (0...order.count).map { place in
                var members = order
                members.insert(#""other":{"id":1}"#, at: place)
                return "{\(members.joined(separator: ","))}"
            }
        }
    }()

    @Test(.trials, arguments: [1, 4]) func theOrderOfMembersChangesNoModel(threads: Int) throws {
        let expected = try Items.adapter().model(from: "{\(Self.members.joined(separator: ","))}")
        for seed in Trials(1) {
            var random = SeededGenerator(seed: seed)
            let documents = (0..<2).flatMap { _ in Self.documents.shuffled(using: &random) }
            let models = try Items.adapter().models(
                fromLines: Array(documents.joined(separator: "\n").utf8), concurrently: threads, blockBytes: 500)
            #expect(models.count == documents.count)
            #expect(models.allSatisfy { $0 == expected })
        }
    }

    @Test func aMemberThatIsAbsentOrRepeatedIsNoticedInEveryOrder() throws {
        let adapter = try Items.adapter()
        for document in Self.documents { _ = try adapter.model(from: document) }
        for document in Self.documents {
            let repeated = document.dropLast() + #","id":10}"#
            #expect(try adapter.model(from: String(repeated)).value("id") == 10)
            let absent = document.replacing(#""id":7"#, with: #""none":7"#)
            #expect(throws: ModelError.self) { try adapter.model(from: absent) }
        }
    }
}
