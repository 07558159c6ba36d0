import PalliumContracts
import PalliumJSON

/// Small drawings of figures, in SVG.
enum DriftPlot {
    private static let width = 120
    private static let height = 24
    /// The largest number of bars; neighbours share one if there are more ranges.
    private static let maximumBars = 40

    /// Draws the shares of values, nulls and absent members as one bar.
    static func presence(_ figure: DriftReport.Figure) -> String {
        let parts = [("value", figure.present), ("null", figure.nulls), ("absent", figure.absent)]
        let label = parts.map { "\($0.0) \(DriftReport.percent($0.1, figure.holders))" }.joined(separator: ", ")
        var text = begin(height: 10, label)
        var start = 0
        var sum = 0
        for (name, count) in parts {
            sum += count
            let end = figure.holders == 0 ? 0 : Int(Double(sum) / Double(figure.holders) * Double(width))
            if end > start {
                text += "<rect class=\"\(name)\" x=\"\(start)\" y=\"0\" width=\"\(end - start)\" height=\"10\"/>"
            }
            start = end
        }
        return text + "</svg>"
    }

    /// Draws how many numbers each range of magnitudes has. The ranges from the first to the last stand side by side.
    static func spread(_ range: DriftReport.Figure.Range, of noun: String) -> String {
        let label = "\(noun) \(range)"
        var text = begin(height: height, label)
        let bars = joined(range.bars.map { Double($0.count) })
        let largest = bars.max() ?? 1
        let step = width / max(bars.count, 1)
        for (index, count) in bars.enumerated() where count > 0 {
            // Rare values are seen, too.
            let size = max(1, Int(count / largest * Double(height)))
            text +=
                "<rect class=\"value\" x=\"\(index * step)\" y=\"\(height - size)\" "
                + "width=\"\(max(1, min(step - 1, 16)))\" height=\"\(size)\"/>"
        }
        return text + "</svg>"
    }

    private static func begin(height: Int, _ label: String) -> String {
        let label = PageText.html(label)
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" width=\"\(width)\" height=\"\(height)\" "
            + "viewBox=\"0 0 \(width) \(height)\" role=\"img\" aria-label=\"\(label)\"><title>\(label)</title>"
    }

    private static func joined(_ counts: [Double]) -> [Double] {
        let size = (counts.count + maximumBars - 1) / maximumBars
        if size <= 1 { return counts }
        return stride(from: 0, to: counts.count, by: size).map { start in
            counts[start..<min(start + size, counts.count)].reduce(0, +)
        }
    }
}
