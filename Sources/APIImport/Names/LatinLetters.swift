/// Letters of ASCII for the other letters of the Latin script: `e` for `é`, `ss` for `ß`.
enum LatinLetters {
    /// Each row has letters, and what all of them become.
    private static let rows: [(letters: String, ascii: String)] = [
        ("ÀÁÂÃÄÅĀĂĄǍ", "A"), ("àáâãäåāăąǎª", "a"), ("ÇĆĈĊČ", "C"), ("çćĉċč", "c"), ("ĎĐÐ", "D"), ("ďđð", "d"),
        ("ÈÉÊËĒĔĖĘĚẼ", "E"), ("èéêëēĕėęěẽ", "e"), ("ĜĞĠĢ", "G"), ("ĝğġģ", "g"), ("ĤĦ", "H"), ("ĥħ", "h"),
        ("ÌÍÎÏĨĪĬĮİ", "I"), ("ìíîïĩīĭįı", "i"), ("Ĵ", "J"), ("ĵ", "j"), ("Ķ", "K"), ("ķ", "k"), ("ĹĻĽĿŁ", "L"),
        ("ĺļľŀł", "l"), ("ÑŃŅŇ", "N"), ("ñńņňŉ", "n"), ("ÒÓÔÕÖØŌŎŐƠ", "O"), ("òóôõöøōŏőơº", "o"), ("ŔŖŘ", "R"),
        ("ŕŗř", "r"), ("ŚŜŞŠȘ", "S"), ("śŝşšș", "s"), ("ŢŤŦȚ", "T"), ("ţťŧț", "t"), ("ÙÚÛÜŨŪŬŮŰŲƯ", "U"),
        ("ùúûüũūŭůűųư", "u"), ("Ŵ", "W"), ("ŵ", "w"), ("ÝŶŸ", "Y"), ("ýÿŷ", "y"), ("ŹŻŽ", "Z"), ("źżž", "z"),
        ("ß", "ss"), ("ẞ", "SS"), ("Æ", "Ae"), ("æ", "ae"), ("Œ", "Oe"), ("œ", "oe"), ("Þ", "Th"), ("þ", "th"),
    ]

    private static let table: [Unicode.Scalar: String] = {
        var table: [Unicode.Scalar: String] = [:]
        for (letters, ascii) in rows {
            for scalar in letters.unicodeScalars { table[scalar] = ascii }
        }
        return table
    }()

    /// Returns the ASCII letters that replace a letter: `é` → `e`, `ß` → `ss`.
    ///
    /// - Returns: The letters; nil if the table does not have the letter, as for ASCII and for other scripts.
    static func ascii(_ letter: Unicode.Scalar) -> String? { table[letter] }
}
