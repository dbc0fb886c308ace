import EndpointKit
import Endpoints
import Testing

/// The forms a query's result takes, and how Prometheus says that it failed.
@Suite struct PrometheusFactsTests {
    /// The responses are as recorded from a server.
    @Test(arguments: [
        (
            "vector",
            #"{"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"up"},"#
                + #""value":[1795235828.19,"1"]},{"metric":{},"value":[1795235828,"NaN"]}]}}"#
        ),
        (
            "matrix",
            #"{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"job":"node"},"#
                + #""values":[[1795235816.741,"-Inf"],[1795235821,"1e-07"]]}]}}"#
        ),
        ("scalar", #"{"status":"success","data":{"resultType":"scalar","result":[1795235828.213,"+Inf"]}}"#),
        ("string", #"{"status":"success","data":{"resultType":"string","result":[1795235828.208,"x"]}}"#),
        ("nothing", #"{"status":"success","data":{"resultType":"vector","result":[]}}"#),
        (
            "warnings",
            #"{"status":"success","data":{"resultType":"matrix","result":[]},"warnings":["slow"],"infos":["a","b"]}"#
        ),
        (
            "histogram",
            #"{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"#
                + #""histogram":[1795235828,{"count":"3"}]}]}}"#
        ),
    ])
    func aResponseIsWrittenAsItWasRead(_ id: String, _ text: String) throws {
        let response = try PrometheusResponse<QueryData>.decoded(text, by: Prometheus.self)
        #expect(String(decoding: try Coding().encode(response), as: UTF8.self) == text, "\(id)")
    }

    @Test func theTextOfAValueIsReadAsANumber() throws {
        func value(_ text: String) throws -> Double? {
            try SamplePair.decoded(#"[1, "\#(text)"]"#, by: Prometheus.self).value
        }
        #expect(try value("0.2") == 0.2)
        #expect(try value("+Inf") == .infinity)
        #expect(try value("-Inf") == -.infinity)
        #expect(try #require(try value("NaN")).isNaN)
        #expect(try value("x") == nil)
    }

    @Test(arguments: [
        (#"{"status":"error","errorType":"bad_data","error":"no expression found"}"#, "bad_data: no expression found"),
        (#"{"status":"error","error":"gone"}"#, "gone"),
        (#"{"status":"error"}"#, "error"),
        (
            #"{"status":"error","errorType":"timeout","error":"late","data":{"resultType":"vector","result":[]}}"#,
            "timeout: late"
        ),
    ])
    func aFailureIsReportedWithItsKindAndText(_ text: String, _ message: String) {
        #expect(throws: ReportedFailure(message)) {
            try PrometheusResponse<QueryData>.decoded(text, by: Prometheus.self)
        }
    }

    @Test(arguments: [
        #"{"status":"success"}"#,
        #"{"status":"success","data":null}"#,
        #"{"status":"success","data":{"resultType":"tensor","result":[]}}"#,
        #"{"status":"success","data":{"resultType":"scalar","result":[]}}"#,
        #"{"status":"success","data":{"resultType":"scalar","result":[1]}}"#,
        #"{"status":"success","data":{"resultType":"scalar","result":["1",1]}}"#,
        #"{"status":"success","data":{"resultType":"vector","result":[1,"2"]}}"#,
    ])
    func aResponseOfAnotherFormIsAMismatch(_ text: String) {
        #expect(throws: ModelMismatch.self) { try PrometheusResponse<QueryData>.decoded(text, by: Prometheus.self) }
    }
}
