import Foundation

/// The baselines' decoder and encoder, made once and reused, with dates by hand.
struct FoundationCoders {
    /// Reads JSON.
    let decoder: JSONDecoder
    /// Writes JSON, without escaped slashes, so that the output is as long as what Pallium writes.
    let encoder: JSONEncoder

    init() {
        decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            guard let date = DateText.parse(try decoder.singleValueContainer().decode(String.self)) else {
                throw DateText.Malformed()
            }
            return date
        }
        encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(DateText.write(date))
        }
    }
}
