/// Writes the number of a mutant as characters that operators may have, because an operator takes no third argument.
func operatorText(of number: Int) -> String {
    let digits = Array("∀∁∂∃∄∅∆∇∈∉")
    return String("\(number)".compactMap { $0.wholeNumberValue.map { digits[$0] } })
}
