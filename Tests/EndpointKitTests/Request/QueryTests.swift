import EndpointKit
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct QueryTests {
    static let noNumber: Int? = nil
    static let noTexts: [String]? = nil
    static let noLine: Line? = nil

    struct Order: Codable {
        enum Kind: String, Codable { case new }
        var kind: Kind
        var lines: [Line]
    }

    struct Line: Codable {
        var price: Double
        var tags: [String]?
    }

    static let queries: [Row<Endpoint.Query, [String]>] = [
        Row("none", [:], []),
        Row("order is kept", ["b": 2, "a": 1, "c": 3], ["b=2", "a=1", "c=3"]),
        Row("nil is dropped", ["a": 1, "page": noNumber, "b": 2], ["a=1", "b=2"]),
        Row("nil list is dropped", ["a": noTexts], []),
        Row("empty text is kept", ["a": ""], ["a="]),
        Row("a name twice", ["a": 1, "a": 2], ["a=1", "a=2"]),
        Row("list repeats its name", ["match[]": ["up", "node_load1"]], ["match%5B%5D=up", "match%5B%5D=node_load1"]),
        Row("empty list is dropped", ["a": [Int]()], []),
        Row("plus and space", ["q": "a+b c"], ["q=a%2Bb%20c"]),
        Row("ampersand, equals sign and hash", ["q": "a&b=c#d"], ["q=a%26b%3Dc%23d"]),
        Row("name with delimiters", ["a&b=c": "1"], ["a%26b%3Dc=1"]),
        Row("CR LF and NUL", ["q": "a\r\n\0"], ["q=a%0D%0A%00"]),
        Row("percent", ["q": "100%25"], ["q=100%2525"]),
        Row("encoded", Endpoint.Query([QueryItem("q", "a,b", encodedText: "q=a,b")]), ["q=a,b"]),
        Row("beyond ASCII", ["q": "é😀"], ["q=%C3%A9%F0%9F%98%80"]),
        Row("raw byte", ["q": String(exactBytes: [0xFF])], ["q=%FF"]),
        Row("bool", ["a": true, "b": false], ["a=true", "b=false"]),
        Row("fraction", ["a": 1.5, "b": Float(0.1)], ["a=1.5", "b=0.1"]),
        Row(
            "largest integer", ["a": UInt64.max, "b": Int64.min], ["a=18446744073709551615", "b=-9223372036854775808"]),
        Row("decimal", ["a": Decimal(string: "0.10")], ["a=0.1"]),
        Row(
            "uuid", ["a": UUID(uuidString: "e621e1f8-c36c-495a-93fc-0c247a3e6e5f")],
            ["a=E621E1F8-C36C-495A-93FC-0C247A3E6E5F"]),
        Row("date", ["a": Date(timeIntervalSince1970: 0)], ["a=1970-01-01T00%3A00%3A00Z"]),
        Row("dictionary", ["f": ["b": "2", "a": "1&"]], ["f%5Ba%5D=1%26", "f%5Bb%5D=2"]),
        Row("dictionary of lists", ["f": ["a": [1, 2]]], ["f%5Ba%5D=1", "f%5Ba%5D=2"]),
        Row("keys as names", ["a": 1] + Endpoint.Query(["c": 3, "b": 2]), ["a=1", "b=2", "c=3"]),
        Row(
            "structure", ["f": Order(kind: .new, lines: [Line(price: 5, tags: ["x", "y"]), Line(price: 2.5)])],
            [
                "f%5Bkind%5D=new", "f%5Blines%5D%5B0%5D%5Bprice%5D=5", "f%5Blines%5D%5B0%5D%5Btags%5D=x",
                "f%5Blines%5D%5B0%5D%5Btags%5D=y", "f%5Blines%5D%5B1%5D%5Bprice%5D=2.5",
            ]),
        Row(
            "list of structures", ["a": [Line(price: 1), Line(price: 2)]],
            ["a%5B0%5D%5Bprice%5D=1", "a%5B1%5D%5Bprice%5D=2"]),
        Row(
            "positions", ["z": ["q"]] + .indexed(["a": ["x", "y"], "b": Line(price: 1, tags: ["t"]), "c": noTexts]),
            ["z=q", "a%5B0%5D=x", "a%5B1%5D=y", "b%5Bprice%5D=1", "b%5Btags%5D%5B0%5D=t"]),
        Row(
            "fields as names", .indexed(Endpoint.Query(Line(price: 1, tags: ["t", "u"]))),
            ["price=1", "tags%5B0%5D=t", "tags%5B1%5D=u"]),
        Row("no fields", Endpoint.Query(noLine), []),
        Row("enum without a conformance", ["k": Order.Kind.new], ["k=new"]),
        Row(
            "any JSON", ["a": ["b": [1, "2", nil, true]] as JSONValue],
            ["a%5Bb%5D=1", "a%5Bb%5D=2", "a%5Bb%5D=", "a%5Bb%5D=true"]),
        Row("null that is meant", ["a": Nullable<Int>.null], ["a="]),
        Row("joined", ["a": [1, 2].joined(by: ",")], ["a=1%2C2"]),
        Row("joined dates", ["a": [Date(timeIntervalSince1970: 0)].joined(by: "|")], ["a=1970-01-01T00%3A00%3A00Z"]),
        Row("nothing joined", ["a": [Int]().joined(by: ",")], []),
        Row("url", ["a": URL(string: "https://h.test/?a=1")], ["a=https%3A%2F%2Fh.test%2F%3Fa%3D1"]),
    ]

    @Test(arguments: queries)
    func `Values in a query are percent-encoded`(_ row: Row<Endpoint.Query, [String]>) throws {
        #expect(try row.input.items(Coding()).map { try $0.revealed() } == row.expected)
        #expect(try row.input.items(Coding()).map(\.redacted) == row.expected)
    }

    @Test(arguments: [Endpoint.Query([1]), Endpoint.Query("x"), ["a": ["b": Double.nan]]])
    func `A value that can't be sent in a query is an error`(_ query: Endpoint.Query) {
        #expect(throws: EncodingError.self) { try query.items(Coding()) }
    }

    @Test func `Secrets in a query are not shown`() throws {
        let item = QueryItem("api_key", SensitiveText([.text("v1 "), .secret(Secret(variable: "KEY", value: "p+q"))]))
        #expect(item.redacted == "api_key=v1%20(redacted)")
        #expect(try item.revealed() == "api_key=v1%20p%2Bq")
    }
}
