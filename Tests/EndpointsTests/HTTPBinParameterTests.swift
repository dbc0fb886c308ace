import EndpointKit
import EndpointTools
import Endpoints
import TestSupport
import Testing

/// The types of httpbin's parameters, and the parts of a request that they go to.
@Suite struct HTTPBinParameterTests {
    @Test func eachParameterHasTheTypeOfItsCase() throws {
        let declaration = try #require(Catalogue.declaration("httpbin.anything"))
        let types = Dictionary(uniqueKeysWithValues: declaration.signature.parameters.map { ($0.name, $0.type) })
        #expect(
            types == [
                "segment": .scalar(.string), "flag": .scalar(.boolean), "count": .scalar(.integer(nil)),
                "small": .scalar(.integer(0...255)), "ratio": .scalar(.number(nil)), "amount": .scalar(.number(nil)),
                "link": .scalar(.url), "id": .scalar(.uuid), "moment": .scalar(.date),
                "colour": .values(["red", "green", "blue"]), "level": .values([1, 2, 3]),
                "tags": .array(.scalar(.string)),
            ])
    }

    @Test func eachParameterIsFoundInItsPartOfTheRequest() throws {
        let range = ParameterPlaces(of: try #require(Catalogue.declaration("httpbin.range")))
        #expect(range.places == ["count": [.path], "bytes": [.header]])
        #expect(range.template == "/range/{count}")
        let put = ParameterPlaces(of: try #require(Catalogue.declaration("httpbin.put")))
        #expect(put.places == ["id": [.query], "product": [.body]])
    }

    @Test func headersHoldParameters() throws {
        let some = try HTTPBin.range(count: 26, bytes: "0-9").request()
        #expect(some.headers.map(\.description) == ["Range: bytes=0-9"])
        let fresh = try HTTPBin.etag(etag: "v1", ifNoneMatch: "v1").request()
        #expect(fresh.headers.map(\.description) == ["If-None-Match: v1", "Accept: application/json"])
    }

    @Test func aLineBreakInAHeaderIsRefused() {
        #expect(throws: RequestError.invalidHeaderValue(name: "If-None-Match")) {
            try HTTPBin.cache(ifNoneMatch: "a\r\nX: y").request()
        }
    }

    @Test func aParameterInThePathIsOneSegment() throws {
        let request = try HTTPBin.base64(value: "a/b+c=?d#").request()
        #expect(request.redactedURL == "https://httpbin.org/base64/a%2Fb%2Bc%3D%3Fd%23")
    }

    @Test func fileIsReadWhileItIsSent() throws {
        let request = try HTTPBin.multipart(title: "T", file: "/some/photo \"1\".png").request(
            RequestOptions(missingCredential: .fail, boundary: "b"))
        let head =
            "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nT\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"photo %221%22.png\"\r\n"
            + "Content-Type: application/octet-stream\r\n\r\n"
        #expect(
            request.body?.pieces == [
                .bytes(Array(head.utf8)), .file(path: "/some/photo \"1\".png"), .bytes(Array("\r\n--b--\r\n".utf8)),
            ])
    }

    @Test func nilParametersAreLeftOutOfTheBody() throws {
        let request = try HTTPBin.patch(price: nil, inStock: true, releasedOn: nil).request()
        #expect(request.body?.bytes == Array(#"{"inStock":true}"#.utf8))
    }

    /// The only values that a parameter may have.
    struct Choices: Sendable, CustomTestStringConvertible {
        let parameter: String
        let endpoint: String
        let values: [String]

        init(of parameter: String, in endpoint: String, values: [String]) {
            self.parameter = parameter
            self.endpoint = endpoint
            self.values = values
        }

        var testDescription: String { "\(parameter) of \(endpoint)" }
    }

    @Test(arguments: [
        Choices(of: "state", in: "github.issues", values: ["open", "closed", "all"]),
        Choices(
            of: "sort",
            in: "github.search-repositories",
            values: ["stars", "forks", "updated", "help-wanted-issues"]),
        Choices(of: "statusCode", in: "httpbin.redirect-to", values: ["301", "302", "303", "307", "308"]),
        Choices(of: "format", in: "httpbin.image", values: ["png", "jpeg", "svg", "webp"]),
    ])
    func aParameterMayHaveTheValuesOfItsEnum(_ row: Choices) throws {
        let declaration = try #require(Catalogue.declaration(row.endpoint))
        let type = try #require(declaration.signature.parameters.first { $0.name == row.parameter }?.type)
        #expect(type == .values(row.values.map { value in Int(value).map { JSONValue($0) } ?? JSONValue(value) }))
    }
}
