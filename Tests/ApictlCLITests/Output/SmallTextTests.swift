import Testing

@testable import ApictlCLI

/// Durations and sizes as text, and tables of text.
struct SmallTextTests {
    private static let durations: [(text: String, milliseconds: Int)] = [
        ("2", 2000), ("2.5", 2500), ("0", 0), ("20s", 20_000), ("500ms", 500), ("0.1ms", 1), (".5", 500), ("5.", 5000),
        ("2m", 120_000), ("0.5m", 30_000), ("31536000", 31_536_000_000),
    ]

    @Test("A duration on the command line is that many milliseconds", arguments: durations)
    func duration(_ text: String, milliseconds: Int) {
        #expect(DurationText.parse(text) == .milliseconds(milliseconds))
    }

    @Test(
        "A text of another form, or of more than a year, is no duration",
        arguments: [
            "", "s", "m", ".", "1.2.3", "-1", "+1", "1e3", "0x10", "1h", "1 s", " 1", "inf", "31536001", "1sms", "٣",
        ])
    func noDuration(_ text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    private static let sizes: [(text: String, byteCount: Int)] = [
        ("0", 0), ("65536", 65_536), ("64k", 65_536), ("64K", 65_536), ("10M", 10_485_760), ("1g", 1_073_741_824),
        ("007", 7), ("9223372036854775807", .max), ("8589934591G", 9_223_372_035_781_033_984),
    ]

    @Test("A size on the command line is that many bytes", arguments: sizes)
    func byteCount(_ text: String, _ byteCount: Int) {
        #expect(ByteCountText.parse(text) == byteCount)
    }

    @Test(
        "A text of another form, or of more than the greatest integer, is no size",
        arguments: [
            "", "k", "-1", "+1", "1.5k", "1e3", "1kk", "1kB", "1T", "1 k", " 1", "k1", "1_000", "٣k", "8589934592G",
        ])
    func noByteCount(_ text: String) {
        #expect(ByteCountText.parse(text) == nil)
    }

    @Test(
        "A size is displayed in a unit that fits it, with one decimal",
        arguments: [
            (999, "999 B"), (1000, "1.0 kB"), (1050, "1.1 kB"), (999_949, "999.9 kB"), (999_950, "1.0 MB"),
            (149_000_000, "149.0 MB"), (1_500_000_000, "1.5 GB"), (Int.max, "9.2 EB"),
        ])
    func shownByteCount(_ count: Int, _ text: String) {
        #expect(ByteCountText.shown(count) == text)
    }

    @Test(
        "A duration is displayed in a unit that fits it",
        arguments: [
            (.zero, "0.0 ms"), (.microseconds(500), "0.5 ms"), (.milliseconds(10), "10 ms"),
            (.milliseconds(999), "999 ms"), (.microseconds(999_600), "1 s"), (.milliseconds(1200), "1.2 s"),
            (.milliseconds(9940), "9.9 s"), (.milliseconds(9950), "10 s"), (.seconds(119), "119 s"),
            (.seconds(120), "2 min"), (.seconds(150), "2.5 min"), (.seconds(7200), "2 h"),
        ] as [(Duration, String)])
    func shownDuration(_ duration: Duration, _ text: String) { #expect(duration.shown == text) }

    @Test("Columns are aligned, and a line has no spaces at its end")
    func table() {
        let table = Table(width: 40)
        #expect(table.text([["a", "bb", ""], ["ccc", "d"], ["e"]]) == "  a    bb\n  ccc  d\n  e\n")
        #expect(table.text([]) == "")
    }

    @Test("A long last column is wrapped, on a line of its own if there is no room beside the others")
    func wrappedTable() {
        let rows = [
            ["--raw", "JSON as the server sent it, re-indented"], ["--continue-from-there FILE", "resumes"],
            ["映画", "wide 映画 characters count twice 🎬 here"],
        ]
        #expect(
            Table(width: 40).text(rows) == """
                  --raw             JSON as the server
                                    sent it, re-indented
                  --continue-from-there FILE
                                    resumes
                  映画              wide 映画 characters
                                    count twice 🎬 here

                """)
    }

    @Test(
        "Columns that text takes on a terminal",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("映画", 4), ("🎬", 2), ("👩‍👩‍👧", 2), ("ｆ", 2), ("☺\u{FE0F}", 2),
        ])
    func columns(_ text: String, _ columns: Int) {
        #expect(TextWidth.columns(of: text) == columns)
    }
}
