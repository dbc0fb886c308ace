import EndpointKit
import Testing

/// Error bodies of the catalogue's servers, and the messages found in them.
@Suite struct ErrorWordsTests {
    @Test(
        arguments: [
            (
                "movies 401",
                #"{"status_code":7,"status_message":"Invalid API key: You must be granted a valid key.","success":false}"#,
                "Invalid API key: You must be granted a valid key."
            ),
            (
                "movies 404",
                #"{"success":false,"status_code":34,"status_message":"The resource you requested could not be found."}"#,
                "The resource you requested could not be found."
            ),
            (
                "places",
                #"{"error_message":"The provided API key is invalid.","html_attributions":[],"results":[],"#
                    + #""status":"REQUEST_DENIED"}"#,
                "The provided API key is invalid."
            ),
            (
                "places without words", #"{"html_attributions":[],"results":[],"status":"UNKNOWN_ERROR"}"#,
                "UNKNOWN_ERROR"
            ),
            (
                "marvel 401", #"{"code":"InvalidCredentials","message":"The passed API key is invalid."}"#,
                "The passed API key is invalid."
            ),
            (
                "marvel 409", #"{"code":"MissingParameter","message":"You must provide a hash."}"#,
                "You must provide a hash."
            ),
            (
                "marvel 409 in status", #"{"code":409,"status":"You must provide a user key."}"#,
                "You must provide a user key."
            ),
            (
                "shopify, text", #"{"errors":"[API] Invalid API key or access token (unrecognized login)"}"#,
                "[API] Invalid API key or access token (unrecognized login)"
            ),
            (
                "shopify, object", #"{"errors":{"title":["can't be blank"],"price":["is not a number","is too low"]}}"#,
                "title: can't be blank; price: is not a number; is too low"
            ),
            ("shopify, array", #"{"errors":["Not Found","Try later"]}"#, "Not Found; Try later"),
            (
                "github 404",
                #"{"message":"Not Found","documentation_url":"https://docs.github.com/rest","status":"404"}"#,
                "Not Found"
            ),
            (
                "github 422",
                #"{"message":"Validation Failed","errors":[{"resource":"Search","field":"q","code":"missing"}]}"#,
                "Validation Failed"
            ),
            (
                "prometheus 400",
                #"{"status":"error","errorType":"bad_data","error":"invalid parameter \"query\": parse error"}"#,
                #"invalid parameter "query": parse error"#
            ),
            ("a proxy's 403", "<html><head><title>403 Forbidden</title></head></html>", nil),
            (
                "httpbin 406",
                #"{"message":"Client did not request a supported media type.","accept":["image/webp","image/*"]}"#,
                "Client did not request a supported media type."
            ),
        ] as [(String, String, String?)])
    func words(_ id: String, _ body: String, _ expected: String?) {
        #expect(ErrorWords.find(in: Array(body.utf8)) == expected, "\(id)")
    }
}
