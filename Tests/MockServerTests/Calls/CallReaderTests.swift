import EndpointKit
import EndpointTools
import Foundation
import Testing

@testable import MockServer

/// Tests of the call that a request makes, or of the reason why it makes none.
@Suite struct CallReaderTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let method: String
        let target: String
        var fields: [HTTPField] = []
        var body = ""
        /// The outcome as text.
        ///
        /// - A call: its name and its parameters, such as `shop.list page=2`.
        /// - A problem: `missing: …` or `invalid: …` with the message.
        /// - Without an endpoint: the status of the response and its `Allow` header, such as `405 GET, HEAD, OPTIONS`.
        let expected: String

        init(
            _ method: String, _ target: String, _ header: String? = nil, body: String = "", is expected: String
        ) {
            testDescription = "\(method) \(target) \(body)"
            self.method = method
            self.target = target
            if let header {
                let nameAndValue = header.split(separator: ":", maxSplits: 1)
                fields = [.init(String(nameAndValue[0]), nameAndValue[1].trimmingCharacters(in: .whitespaces))]
            }
            self.body = body
            self.expected = expected
        }
    }

    private static let multipart = "multipart/form-data; boundary=\"b\""
    private static let uuid = "01020304-0506-0708-090A-0B0C0D0E0F11"

    static let rows: [Row] = [
        Row("GET", "/items", is: "shop.list"),
        Row("GET", "/v1/items?page=2&tag=a%20b&tag=c&sort=price", is: "shop.list page=2 tags=a b,c sort=price"),
        Row("GET", "/items?since=2026-11-21T09:30:00Z", is: "shop.list since=2026-11-21T09:30:00Z"),
        Row("GET", "/items?page=two", is: "invalid: query item page: expected an integer, got 'two'"),
        Row("GET", "/items?page=1&page=2", is: "invalid: query item page is there more than once"),
        Row("GET", "/items?sort=name", is: "invalid: query item sort: expected one of title, price, got 'name'"),
        Row("GET", "/items?other=1", is: "shop.list"),
        Row("HEAD", "/items/7", "Accept-Language: en", is: "shop.item id=7 language=en"),
        Row("GET", "/items/seven", is: "invalid: id in the path: expected an integer, got 'seven'"),
        Row("GET", "/parts/\(uuid).bin", "Range: bytes=0-9", is: "shop.part _0=\(uuid) range=0-9"),
        Row("GET", "/parts/1.bin", is: "invalid: the value in the path: expected a UUID, got '1'"),
        Row("GET", "/parts/\(uuid).bin", "Range: 0-9", is: "invalid: header range: expected bytes=…, got '0-9'"),
        Row(
            "POST", "/items", body: #"{"short_name": "a", "price": 1.5}"#,
            is: #"shop.add item={"short_name":"a","price":1.5}"#),
        Row(
            "POST", "/items", body: #"{"price": 1.5}"#,
            is: #"missing: the body: $: missing key "short_name" (line 1, column 1)"#),
        Row(
            "POST", "/items", body: #"{"short_name": "a", "price": 1, "maker": {}, "parts": [{"full_name": "b"}, {}]}"#,
            is: #"missing: the body: $.maker: missing key "full_name" (line 1, column 42)"#),
        Row(
            "POST", "/items", body: #"{"short_name": "a", "price": "1"}"#,
            is: #"invalid: the body: $.price: expected number, found string "1" (line 1, column 30)"#),
        Row(
            "POST", "/items", body: #"{"short_name": "a", "price": "missing key"}"#,
            is: #"invalid: the body: $.price: expected number, found string "missing key" (line 1, column 30)"#),
        Row(
            "POST", "/items", body: #"{"short_name": "a", "price": 1, "colour": 2}"#,
            is: "invalid: the body: $.colour: unknown key"),
        Row(
            "POST", "/items", body: #"{"short_name""#,
            is: "missing: the body is not JSON: line 1, column 14: expected ':', found end of input"),
        Row("POST", "/items", is: "missing: the body is missing"),
        Row("GET", "/tenants/2?tenant=2&name=x", "X-Tenant: t2", is: "shop.tenant tenant=2 name=x"),
        Row("GET", "/tenants/2?tenant=3", "X-Tenant: t2", is: "invalid: query item tenant: expected '2', got '3'"),
        Row("GET", "/tenants/2", "X-Tenant: t2", is: "missing: query item tenant is missing"),
        Row("GET", "/tenants/2?tenant=2", "X-Tenant: 2", is: "invalid: header x-tenant: expected 't2', got '2'"),
        // The body is optional, because the example has none.
        Row("PUT", "/stock", is: "shop.restock"),
        Row(
            "PUT", "/stock", body: #"{"short_name": "a", "price": 1}"#,
            is: #"shop.restock _0={"short_name":"a","price":1}"#),
        Row(
            "PATCH", "/items/7", body: #"{"price": 3.5, "in_stock": false, "sizes": [1, 2]}"#,
            is: "shop.change id=7 price=3.5 inStock=false sizes=1,2"),
        Row("PATCH", "/items/7", body: #"{"in_stock": 0}"#, is: "invalid: $.in_stock: expected true or false, got '0'"),
        Row("PUT", "/tags", body: #"{"b": "y"}"#, is: "shop.tag _0=b=y"),
        Row("PATCH", "/items/7", body: "[]", is: "invalid: the body: expected a JSON object"),
        Row("PATCH", "/items/7", body: #"{"price": null}"#, is: "shop.change id=7"),
        Row("PATCH", "/items/7", body: #"{"price": "3"}"#, is: "invalid: $.price: expected a number, got '\"3\"'"),
        Row("PATCH", "/items/7", body: #"{"sizes": 3}"#, is: "invalid: $.sizes: expected an array, got '3'"),
        Row(
            "PATCH", "/items/7", body: #"{"sizes": [1, true]}"#,
            is: "invalid: $.sizes: expected an integer, got 'true'"),
        Row(
            "POST", "/orders", "Content-Type: application/x-www-form-urlencoded",
            body: "name=a+b&quantity=200&gift=true", is: "shop.order name=a b quantity=200 gift=true"),
        Row(
            "POST", "/orders", "Content-Type: application/x-www-form-urlencoded", body: "quantity=300",
            is: "missing: form field name is missing"),
        Row(
            "POST", "/orders", "Content-Type: application/x-www-form-urlencoded", body: "name=a&quantity=300",
            is: "invalid: form field quantity: expected an integer from 0 to 255, got '300'"),
        Row(
            "POST", "/orders", "Content-Type: \(multipart)",
            body: "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nhello\r\n--b\r\n"
                + "content-disposition: form-data; filename=\"C:\\\"; name=\"file\"\r\n\r\nbytes\r\n--b--\r\n",
            is: "shop.upload title=hello file=a.txt"),
        Row(
            "POST", "/orders", "Content-Type: \(multipart)",
            body: "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nhello\r\n--b--\r\n",
            is: "missing: file file is missing"),
        Row("POST", "/orders", "Content-Type: \(multipart)", body: "--c--", is: "missing: the body is not multipart"),
        Row("POST", "/orders", "Content-Type: text/plain", body: "hello", is: "shop.note text=hello"),
        Row("GET", "/search?kind=book&q=x", is: "shop.books query=x"),
        Row("GET", "/search?q=x&kind=film", is: "shop.films query=x"),
        Row("GET", "/search", is: "shop.fixed"),
        Row("GET", "/search?kind=song&q=x", is: "shop.fixed"),
        // The endpoint with more fixed segments fits better, and then the one with more fixed items. An endpoint does
        // not fit if one of its fixed items is missing.
        Row("GET", "/list/new", is: "shop.newest"),
        Row("GET", "/list/new", "X-Kind: a", is: "shop.newest-of-a"),
        Row("GET", "/list/old", is: "404 "),
        Row("GET", "/list/old", "X-Kind: a", is: "shop.listed name=old"),
        Row("GET", "/near?at=1.5,-2", is: "shop.near latitude=1.5 longitude=-2"),
        Row("GET", "/near", is: "missing: query item at is missing"),
        Row("GET", "/near?at=5", is: "invalid: query item at: expected …,…, got '5'"),
        Row("GET", "/near?at=1,b", is: "invalid: longitude in query item at: expected a number, got 'b'"),
        // A value with which the endpoint computes can't be read back. The first example's value stands in.
        Row("GET", "/sum/9", is: "shop.secret a=1 b=2"),
        Row("GET", "/files/a/b%2Fc.txt", is: "shop.file path=a/b/c.txt"),
        Row("GET", "/many?ids=1,2,3&limit=5", is: "shop.many ids=1,2,3 limit=5"),
        Row("GET", "/many?ids=1,x", is: "invalid: query item ids: expected an integer, got 'x'"),
        Row("GET", "/many?limit=50", is: "invalid: query item limit: expected 1 to 10, got '50'"),
        Row("GET", "/many?limit=5&all=true", is: "invalid: query item limit and query item all can't be used together"),
        // Query items with keys in brackets are the members of one parameter.
        Row(
            "GET",
            """
            /filter?kind=x&by[colour]=red%26&by[a%26b]=c&item[short_name]=5&item[price]=5&page=3\
            &expand[0]=a&expand[1]=b
            """,
            is: #"shop.filter by=a&b=c,colour=red& item={"short_name":"5","price":5} page=3 expand=a,b"#),
        Row(
            "GET",
            "/filter?kind=x&item[parts][1][full_name]=b&item[parts][0][full_name]=a&item[short_name]=x&item[price]=1",
            is: #"shop.filter item={"short_name":"x","price":1,"parts":[{"full_name":"a"},{"full_name":"b"}]}"#),
        Row(
            "GET", "/filter?kind=x&limits[a][]=1&limits[a][]=x&limits[b]=true",
            is: #"shop.filter limits={"a":[1,"x"],"b":true}"#),
        Row("GET", "/filter?by[a]=1", is: "404 "),
        Row("GET", "/find?max_price=5&colours=a", is: #"shop.find _0={"max_price":5,"colours":["a"]}"#),
        Row("GET", "/find", is: "shop.find"),
        Row(
            "GET", "/filter?kind=x&item[price]=1",
            is: #"missing: query item item: $: missing key "short_name" (line 1, column 1)"#),
        Row(
            "GET", "/filter?kind=x&item[price]=one&item[short_name]=x",
            is: #"invalid: query item item: $.price: expected number, found string "one" (line 1, column 10)"#),
        Row(
            "POST", "/buy", "Content-Type: application/x-www-form-urlencoded",
            body: "customer_number=7&lines[0][short_name]=a&lines[0][price]=1&expand[0]=x&extra[k]=v&note=hi",
            is: #"""
                shop.buy _0={"customer_number":7,"lines":[{"short_name":"a","price":1}],\#
                "expand":["x"],"extra":{"k":"v"}} note=hi
                """#),
        Row(
            "POST", "/buy", "Content-Type: application/x-www-form-urlencoded", body: "lines[0][price]=1",
            is: #"missing: the form: $: missing key "customer_number" (line 1, column 1)"#),
        // Headers and fields with a fixed value must have that value.
        Row("GET", "/items", "X-Version: 2", is: "shop.list"),
        Row("GET", "/items", "X-Version: 3", is: "invalid: header x-version: expected 2"),
        Row(
            "POST", "/token", "Content-Type: application/x-www-form-urlencoded", body: "grant_type=code&code=a",
            is: "shop.token code=a"),
        Row("POST", "/token", "Content-Type: application/x-www-form-urlencoded", body: "code=a", is: "404 "),
        Row("PUT", "/rate", body: #"{"stars": 1, "version": 2}"#, is: "shop.rate stars=1"),
        Row("PUT", "/rate", body: #"{"stars": 1, "version": 3}"#, is: "invalid: $.version: expected 2"),
        Row("PUT", "/items", is: "405 GET, HEAD, POST, OPTIONS"),
        Row("PUT", "/many", is: "405 GET, HEAD, OPTIONS"), Row("OPTIONS", "/many", is: "shop.options"),
        Row("OPTIONS", "/items/7", is: "204 GET, HEAD, PATCH, OPTIONS"),
        Row("OPTIONS", "*", is: "204 GET, HEAD, PATCH, POST, PUT, OPTIONS"),
        Row("GET", "/nothing", is: "404 "),
        Row("GET", "/a/../items", is: "400 "),
    ]

    private static let routes = Result { try CallRoutes([CallRoutes.Mount(CatalogueAPI(Shop.self))]) }

    @Test(arguments: rows)
    func `A request becomes a call, or the reason why it is none`(_ row: Row) throws {
        let request = ReceivedRequest(
            method: row.method, target: row.target, fields: row.fields, body: Array(row.body.utf8))
        let outcome: String
        switch try Self.routes.get().match(request) {
        case .found(let reading, let others):
            #expect(others.isEmpty)
            if let call = reading.call {
                let setParameters = try reading.declaration.signature.filled(from: call).parameters.filter {
                    !$0.example.isEmpty
                }
                let parameterTexts = setParameters.map { "\($0.name)=\($0.example.joined(separator: ","))" }
                outcome = ([reading.declaration.name] + parameterTexts).joined(separator: " ")
            } else {
                outcome = "\(reading.problem?.status == 400 ? "missing" : "invalid"): \(reading.problem?.message ?? "")"
            }
        case .none(let response, _): outcome = "\(response.head.status) \(response.head["Allow"] ?? "")"
        }
        #expect(outcome == row.expected)
    }
}
