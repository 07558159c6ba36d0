import Foundation

/// The texts of issues in two states, from which pages are put together.
///
/// All texts lie in one large block, which comes from the system, so that they are no part of the heap that pages go to.
struct IssueTexts {
    private var bytes: [UInt8] = []
    /// Where the texts of each state begin and end.
    private var ranges: [[Range<Int>]] = [[], []]

    init(count: Int) {
        bytes.reserveCapacity(count * 2 * 1200)
        var generator = IssueGenerator()
        for index in 0..<count {
            let issue = generator.next()
            for (state, text) in [issue, issue.later(number: index)].enumerated() {
                let start = bytes.count
                text.write(to: &bytes)
                ranges[state].append(start..<bytes.count)
            }
        }
    }

    /// How many issues there are, in either state.
    var count: Int { ranges[0].count }

    /// The text of the issue with a number, from 1.
    func text(of number: Int, inState state: Int) -> Data { Data(bytes[ranges[state][number - 1]]) }

    /// The texts of issues as one array.
    func page(of numbers: [Int]) -> Data {
        var page = Data("[".utf8)
        for (index, number) in numbers.enumerated() {
            if index > 0 { page.append(UInt8(ascii: ",")) }
            page.append(contentsOf: bytes[ranges[0][number - 1]])
        }
        page.append(UInt8(ascii: "]"))
        return page
    }
}
