import PalliumJSON

// The kind `duration`: its accessor type, its text in JSON and its bytes in archives.
//
// Safety: the bytes of a text are borrowed for the call that reads them.

extension PropertySchema {
    /// A length of time; accessor `Duration`. ISO 8601 text in JSON, such as `"PT1H30M"`.
    public static var duration: PropertySchema { PropertySchema(.duration) }
}

extension KindTraits {
    static let duration = KindTraits(
        "duration", "a duration", type: Duration.self, storage: .words, archiveNumber: 19,
        archived: ArchiveCodec(
            (Int64, Int64).self,
            read: { Duration(archivedSeconds: Int64(littleEndian: $0.0), attoseconds: Int64(littleEndian: $0.1)) },
            write: { (value: Duration) in
                (value.components.seconds.littleEndian, value.components.attoseconds.littleEndian)
            }),
        text: TextCodec(
            "an ISO 8601 duration such as PT1H30M", json: "text of a duration", writable: Duration.rangeExpectation,
            read: { try? DurationText.read($0) }, write: DurationText.write, problem: DurationText.problem),
        precedes: { Duration._load($0) < Duration._load($1) })
}

extension Duration: PropertyValue {
    /// The kind of property that holds such values.
    public static var _naturalKind: PropertyKind? { .duration }

    /// Replaces the content of a slot whose descriptor fits.
    public func _store(_ slot: _Storage.Slot) throws(ModelError) {
        guard parts != nil else {
            throw ModelError(
                .numberOutOfRange, slot.description, expected: Self.rangeExpectation, found: "a longer duration")
        }
        slot.replace(with: self)
    }
}

extension Duration {
    /// Makes the duration of the numbers in an archive; nil if no duration has them as its components.
    fileprivate init?(archivedSeconds seconds: Int64, attoseconds: Int64) {
        guard attoseconds.magnitude < DurationText.second,
            seconds == 0 || attoseconds == 0
                || (seconds < 0) == (attoseconds < 0)
        else { return nil }
        self.init(secondsComponent: seconds, attosecondsComponent: attoseconds)
    }
}

extension DurationText {
    /// Returns the reason why a text is refused.
    fileprivate static func problem(_ text: String) -> KindReading {
        do throws(Problem) {
            _ = try read(text.utf8)
            return .refused(.invalidValue)
        } catch {
            switch error {
            case .form: return .refused(.invalidValue)
            case .calendar: return .refused(.invalidValue, note: "years and months have no fixed length")
            case .precision:
                return .refused(
                    .invalidValue,
                    expected: "a duration with at most \(maximumFractionDigits.counted("digit")) of a fraction")
            case .range: return .refused(.numberOutOfRange, expected: Duration.rangeExpectation)
            }
        }
    }
}
