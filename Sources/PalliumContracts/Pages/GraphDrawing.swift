import PalliumCore
import PalliumJSON

/// Draws models as boxes and their references as curves, in SVG.
///
/// A box has a row for each property that holds models, and the curve of the property begins there.
struct GraphDrawing {
    private struct Box {
        let model: Int
        let name: String
        var isFocus = false
        var rows: [(key: String, label: String)] = []
        var size: GraphLayout.Size {
            let widths =
                [GraphDrawing.width(of: name, unit: 9)] + rows.map { GraphDrawing.width(of: $0.label, unit: 7) }
            return GraphLayout.Size(width: (widths.max() ?? 0) + 24, height: rows.isEmpty ? 32 : 42 + 20 * rows.count)
        }
    }

    private struct Link {
        let line: GraphLayout.Link
        let name: String
        let title: String
    }

    private static let titleHeight = 16
    private static let maximumCharacters = 30
    private static let margin = 28

    private let page: SchemaPage
    private var boxes: [Box] = []
    private var links: [Link] = []

    /// Draws some models.
    ///
    /// - Parameters:
    ///   - models: Their positions on the page.
    ///   - edges: The references among them.
    ///   - focus: The model that the drawing is about.
    init(page: SchemaPage, models: [Int], edges: [ModelGraph.Edge], focus: Int? = nil) {
        self.page = page
        var positions: [Int: Int] = [:]
        for model in models where positions[model] == nil {
            positions[model] = boxes.count
            boxes.append(
                Box(model: model, name: Self.shorten(page.models[model].name), isFocus: model == focus))
        }
        // A parent and the child that its cluster chooses are linked once.
        var choices: [Pair: String] = [:]
        var children: Set<Pair> = []
        for edge in edges {
            switch edge.kind {
            case .choice(let text): choices[Pair(edge.source, edge.target)] = text
            case .extends: children.insert(Pair(edge.target, edge.source))
            case .property: break
            }
        }
        for edge in edges {
            guard let source = positions[edge.source], let target = positions[edge.target] else { continue }
            switch edge.kind {
            case .property(let key, let isCollection, let isWeak):
                let label = Self.shorten(key) + (isCollection ? " *" : "")
                let height = 48 + 20 * boxes[source].rows.count
                boxes[source].rows.append((key, label))
                let title = "\(name(edge.source)).\(key): \(name(edge.target))"
                add(source, height, target, isWeak ? "weak" : "holds", title)
            case .extends:
                // The parent stands before its children.
                let choice = choices[Pair(edge.target, edge.source)].map { " (\($0))" } ?? ""
                let title = "\(name(edge.source)) extends \(name(edge.target))\(choice)"
                add(target, Self.titleHeight, source, "extends", title)
            case .choice(let text):
                if children.contains(Pair(edge.source, edge.target)) { continue }
                add(source, Self.titleHeight, target, "choice", "\(name(edge.target)): \(text)")
            }
        }
    }

    private struct Pair: Hashable {
        let source: Int
        let target: Int

        init(_ source: Int, _ target: Int) { (self.source, self.target) = (source, target) }
    }

    private func name(_ model: Int) -> String { page.models[model].name }

    private mutating func add(_ source: Int, _ height: Int, _ target: Int, _ name: String, _ title: String) {
        let line = GraphLayout.Link(
            source: source, sourceHeight: height, target: target, targetHeight: Self.titleHeight)
        links.append(Link(line: line, name: name, title: title))
    }

    /// The drawing.
    var svg: String {
        let layout = GraphLayout(boxes: boxes.map(\.size), links: links.map(\.line))
        let (width, height) = (layout.size.width + 2 * Self.margin, layout.size.height + 2 * Self.margin)
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="\(-Self.margin) \(-Self.margin) \(width) \(height)" role="img" aria-label="Graph of models">

            """
        for (link, route) in zip(links, layout.routes) {
            let marker = link.name == "extends" ? "marker-start=\"url(#triangle)\"" : "marker-end=\"url(#arrow)\""
            let curve = Self.curve(route, isLoop: link.line.source == link.line.target)
            text += "<path class=\"\(link.name)\" \(marker) d=\"\(curve)\">"
            text += "<title>\(PageText.html(link.title))</title></path>\n"
        }
        for (box, place) in zip(boxes, layout.places) { text += draw(box, at: place) }
        return text + "</svg>\n"
    }

    private func draw(_ box: Box, at place: GraphLayout.Point) -> String {
        let size = box.size
        var text = "<g class=\"\(box.isFocus ? "box focus" : "box")\" transform=\"translate(\(place.x) \(place.y))\">"
        text += "<a href=\"#\(page.anchor(box.model))\"><title>\(PageText.html(name(box.model)))</title>"
        text += "<rect width=\"\(size.width)\" height=\"\(size.height)\" rx=\"8\"/>"
        text += "<text class=\"name\" x=\"12\" y=\"21\">\(PageText.html(box.name))</text></a>"
        for (index, row) in box.rows.enumerated() {
            text += "<a href=\"#\(page.anchor(box.model, row.key))\">"
            text += "<text x=\"12\" y=\"\(52 + 20 * index)\">\(PageText.html(row.label))</text></a>"
        }
        return text + "</g>\n"
    }

    /// Returns a path through the points that enters and leaves each of them horizontally.
    private static func curve(_ points: [GraphLayout.Point], isLoop: Bool) -> String {
        guard let first = points.first else { return "" }
        var path = "M\(first.x) \(first.y)"
        for (from, to) in zip(points, points.dropFirst()) {
            if isLoop {
                path += "C\(from.x + 26) \(from.y) \(to.x + 26) \(to.y) \(to.x) \(to.y)"
            } else if from.y == to.y {
                path += "H\(to.x)"
            } else {
                let middle = (from.x + to.x) / 2
                path += "C\(middle) \(from.y) \(middle) \(to.y) \(to.x) \(to.y)"
            }
        }
        return path
    }

    private static func shorten(_ text: String) -> String { ModelError.shorten(text, to: maximumCharacters) }

    /// Estimates the width of a text, since there are no fonts here. Characters of many scripts are wide.
    private static func width(of text: String, unit: Int) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? unit : 2 * unit) }
    }
}
