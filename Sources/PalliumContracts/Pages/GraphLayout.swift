/// Places boxes in columns, so that most links point to the right.
///
///     break cycles ─▶ columns by longest path ─▶ order by barycentres ─▶ heights that keep the order
///
/// These are the steps of Sugiyama's method. A link over several columns bends at a point in each of them. The same
/// graph always gets the same places.
///
/// - Complexity: O(*n* log *n*) in the number of boxes, links and bends. The number of bends is bounded.
struct GraphLayout {
    struct Size {
        var width: Int
        var height: Int
    }

    struct Point: Equatable {
        var x: Int
        var y: Int
    }

    /// A link from a height of one box to a height of another. The heights count from the tops of the boxes.
    struct Link {
        let source: Int
        let sourceHeight: Int
        let target: Int
        let targetHeight: Int
    }

    /// The upper left corners of the boxes.
    private(set) var places: [Point]
    /// The ends of the links and the bends between them. A link of a box to itself has its two ends.
    private(set) var routes: [[Point]] = []
    private(set) var size = Size(width: 0, height: 0)

    private static let columnGap = 72
    private static let rowGap = 16
    /// The width that boxes without links fill before they begin a new row.
    private static let rowWidth = 860
    private static let maximumBends = 4_000
    private static let sweeps = 8

    /// A box, or a bend of a link, in a column.
    private struct Item {
        let size: Size
        let column: Int
        var order = 0
        var y = 0
        /// The links to items in the column before and after: the item, the height there, the height here.
        var before: [(item: Int, there: Int, here: Int)] = []
        var after: [(item: Int, there: Int, here: Int)] = []
    }

    private var items: [Item] = []

    init(boxes: [Size], links: [Link]) {
        places = Array(repeating: Point(x: 0, y: 0), count: boxes.count)
        let columns = GraphColumns(count: boxes.count, links: links)
        items = boxes.enumerated().map { Item(size: $1, column: columns.columns[$0]) }
        let bends = addBends(links, columns)
        var members = [[Int]](repeating: [], count: columns.count)
        for index in items.indices where index >= boxes.count || columns.isLinked[index] {
            members[items[index].column].append(index)
        }
        order(&members)
        placeHeights(members)
        let ends = placeColumns(members, boxes)
        placeOthers(boxes, columns.isLinked)
        routes = links.enumerated().map { index, link in
            route(link, boxes, bends[index], ends, columns)
        }
    }

    /// Adds an item for each column that a link passes, and connects neighbours.
    private mutating func addBends(_ links: [Link], _ columns: GraphColumns) -> [[Int]] {
        let count = links.reduce(0) { $0 + max(0, columns.span(of: $1) - 1) }
        return links.map { link in
            let span = columns.span(of: link)
            if span == 0 { return [] }
            let isForward = columns.columns[link.source] < columns.columns[link.target]
            let first = isForward ? (link.source, link.sourceHeight) : (link.target, link.targetHeight)
            let last = isForward ? (link.target, link.targetHeight) : (link.source, link.sourceHeight)
            var bends: [Int] = []
            var previous = first
            if count <= Self.maximumBends {
                for step in 1..<max(span, 1) {
                    items.append(Item(size: Size(width: 0, height: 0), column: items[first.0].column + step))
                    connect(previous, (items.count - 1, 0))
                    previous = (items.count - 1, 0)
                    bends.append(previous.0)
                }
            }
            connect(previous, last)
            return isForward ? bends : bends.reversed()
        }
    }

    private mutating func connect(_ left: (item: Int, height: Int), _ right: (item: Int, height: Int)) {
        items[left.item].after.append((right.item, right.height, left.height))
        items[right.item].before.append((left.item, left.height, right.height))
    }

    /// Orders each column by the mean positions of the neighbours, forward and backward.
    private mutating func order(_ members: inout [[Int]]) {
        for column in members { for (position, item) in column.enumerated() { items[item].order = position } }
        for sweep in 0..<Self.sweeps {
            let isForward = sweep.isMultiple(of: 2)
            for column in isForward ? Array(members.indices) : members.indices.reversed() {
                let keyed = members[column].map { item -> (item: Int, key: Double) in
                    let neighbours = isForward ? items[item].before : items[item].after
                    if neighbours.isEmpty { return (item, Double(items[item].order)) }
                    // The height there tells links of one box apart.
                    let sum = neighbours.reduce(0.0) { $0 + Double(items[$1.item].order) + Double($1.there) / 1e5 }
                    return (item, sum / Double(neighbours.count))
                }
                members[column] = keyed.sorted {
                    $0.key != $1.key ? $0.key < $1.key : items[$0.item].order < items[$1.item].order
                }.map(\.item)
                for (position, item) in members[column].enumerated() { items[item].order = position }
            }
        }
    }

    /// Moves the items of each column as near to their neighbours as the order allows.
    private mutating func placeHeights(_ members: [[Int]]) {
        for column in members {
            var y = 0
            for item in column {
                items[item].y = y
                y += items[item].size.height + Self.rowGap
            }
        }
        for sweep in 0..<Self.sweeps {
            let isForward = sweep.isMultiple(of: 2)
            for column in isForward ? Array(members.indices) : members.indices.reversed() {
                place(members[column]) { item, items in
                    let sides = isForward ? item.before : item.after
                    let neighbours = sides.isEmpty ? item.before + item.after : sides
                    if neighbours.isEmpty { return Double(item.y) }
                    return neighbours.reduce(0.0) { $0 + Double(items[$1.item].y + $1.there - $1.here) }
                        / Double(neighbours.count)
                }
            }
        }
    }

    /// Places a column with the least squares of distances from the wanted heights. Neighbours that would overlap are
    /// joined to blocks (pool adjacent violators).
    private mutating func place(_ column: [Int], _ wanted: (Item, [Item]) -> Double) {
        var blocks: [(sum: Double, count: Double, items: Int)] = []
        var offset = 0
        var offsets: [Int] = []
        for item in column {
            offsets.append(offset)
            var block = (sum: wanted(items[item], items) - Double(offset), count: 1.0, items: 1)
            while let last = blocks.last, last.sum / last.count >= block.sum / block.count {
                block = (last.sum + block.sum, last.count + block.count, last.items + block.items)
                blocks.removeLast()
            }
            blocks.append(block)
            offset += items[item].size.height + Self.rowGap
        }
        var next = 0
        for block in blocks {
            let y = Int((block.sum / block.count).rounded())
            for _ in 0..<block.items {
                items[column[next]].y = y + offsets[next]
                next += 1
            }
        }
    }

    /// Places the columns beside each other; returns where each begins and ends.
    private mutating func placeColumns(_ members: [[Int]], _ boxes: [Size]) -> [(left: Int, right: Int)] {
        let top = members.joined().map { items[$0].y }.min() ?? 0
        var ends: [(left: Int, right: Int)] = []
        var x = 0
        for column in members {
            let width = column.map { items[$0].size.width }.max() ?? 0
            ends.append((x, x + width))
            for item in column {
                items[item].y -= top
                if item < boxes.count { places[item] = Point(x: x, y: items[item].y) }
                size.height = max(size.height, items[item].y + items[item].size.height)
            }
            if !column.isEmpty {
                size.width = x + width
                x += width + Self.columnGap
            }
        }
        return ends
    }

    /// Places the boxes without links in rows below all others.
    private mutating func placeOthers(_ boxes: [Size], _ isLinked: [Bool]) {
        var x = 0
        var y = size.height == 0 ? 0 : size.height + 2 * Self.rowGap
        for index in boxes.indices where !isLinked[index] {
            if x > 0, x + boxes[index].width > max(size.width, Self.rowWidth) {
                x = 0
                y = size.height + Self.rowGap
            }
            places[index] = Point(x: x, y: y)
            x += boxes[index].width + Self.rowGap
            size.width = max(size.width, x - Self.rowGap)
            size.height = max(size.height, y + boxes[index].height)
        }
    }

    private func route(
        _ link: Link, _ boxes: [Size], _ bends: [Int], _ ends: [(left: Int, right: Int)], _ columns: GraphColumns
    ) -> [Point] {
        let (source, target) = (places[link.source], places[link.target])
        let isForward = columns.columns[link.source] < columns.columns[link.target]
        let sourceEdge = isForward || link.source == link.target ? boxes[link.source].width : 0
        let targetEdge = isForward ? 0 : boxes[link.target].width
        var points = [Point(x: source.x + sourceEdge, y: source.y + link.sourceHeight)]
        for bend in bends {
            let column = ends[items[bend].column]
            let sides = [Point(x: column.left, y: items[bend].y), Point(x: column.right, y: items[bend].y)]
            points += isForward ? sides : sides.reversed()
        }
        points.append(Point(x: target.x + targetEdge, y: target.y + link.targetHeight))
        return points
    }
}
