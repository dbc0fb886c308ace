// Strings, and names with dots.

extension PathParser {
    /// A string in single or double quotes, escapes resolved.
    mutating func quoted() throws(JSONPathError) -> String {
        let quote: Unicode.Scalar = next == "'" ? "'" : "\""
        index += 1
        var string = String.UnicodeScalarView()
        while let scalar = next, scalar != quote {
            if scalar < " " { throw unexpected("a character, an escape or the closing \(quote)") }
            index += 1
            string.append(scalar == "\\" ? try escape(quote) : scalar)
        }
        if !take(quote) { throw unexpected("the closing \(quote)") }
        return String(string)
    }

    /// An escape after its `\`.
    private mutating func escape(_ quote: Unicode.Scalar) throws(JSONPathError) -> Unicode.Scalar {
        let start = index
        switch next {
        case quote, "\\", "/": break
        case "b": return simpleEscape("\u{8}")
        case "f": return simpleEscape("\u{C}")
        case "n": return simpleEscape("\n")
        case "r": return simpleEscape("\r")
        case "t": return simpleEscape("\t")
        case "u":
            let high = try hexadecimal()
            if let scalar = Unicode.Scalar(high) { return scalar }
            guard high < 0xDC00, take("\\"), next == "u" else {
                index = start
                throw unexpected("both halves of a surrogate pair")
            }
            let low = try hexadecimal()
            guard (0xDC00...0xDFFF).contains(low),
                let scalar = Unicode.Scalar(0x1_0000 + (high - 0xD800) << 10 + (low - 0xDC00))
            else {
                index = start
                throw unexpected("both halves of a surrogate pair")
            }
            return scalar
        default: throw unexpected("one of \(quote), \\, /, b, f, n, r, t, u")
        }
        return simpleEscape(text[index])
    }

    private mutating func simpleEscape(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        index += 1
        return scalar
    }

    /// `u` and four digits.
    private mutating func hexadecimal() throws(JSONPathError) -> UInt32 {
        index += 1
        var number: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = next, digit.isASCII, let value = Hexadecimal.value(UInt8(digit.value)) else {
                throw unexpected("a hexadecimal digit")
            }
            number = number << 4 | UInt32(value)
            index += 1
        }
        return number
    }

    // MARK: Names with dots

    /// A whole text of names and indexes with dots between them. A name in quotes is never an index.
    mutating func names() throws(JSONPathError) -> PathQuery {
        var query = PathQuery(isAbsolute: true)
        repeat {
            var selector: PathQuery.Selector
            if next == "\"" || next == "'" {
                selector = .walk(PathQuery.Name(try quoted()), index: nil)
            } else {
                let name = try plainName()
                selector = .walk(
                    PathQuery.Name(name), index: name.utf8.allSatisfy { (48...57).contains($0) } ? Int(name) : nil)
            }
            query.segments.append(PathQuery.Segment(isDescendant: false, selectors: [selector]))
        } while take(".")
        if index < text.count { throw unexpected("'.' or the end") }
        return query
    }

    private mutating func plainName() throws(JSONPathError) -> String {
        let start = index
        while let scalar = next, !".\"'[]*?".unicodeScalars.contains(scalar), scalar > " ", scalar != "\u{7F}" {
            index += 1
        }
        if index == start { throw unexpected("a name or an index (JSONPath starts with '$')") }
        return string(from: start)
    }
}
