import EndpointKit
import Endpoints
import Testing

/// Fields that places have or lack, and how a search reports a failure.
@Suite struct PlaceFactsTests {
    @Test(arguments: [
        (#"{"results": [], "status": "REQUEST_DENIED", "error_message": "No key."}"#, "REQUEST_DENIED: No key."),
        (#"{"status": "REQUEST_DENIED", "error_message": "No key."}"#, "REQUEST_DENIED: No key."),
        (#"{"html_attributions": [], "results": [], "status": "OVER_QUERY_LIMIT"}"#, "OVER_QUERY_LIMIT"),
        (#"{"results": [], "status": "INVALID_REQUEST", "error_message": ""}"#, "INVALID_REQUEST"),
        (#"{"status": "UNKNOWN_ERROR"}"#, "UNKNOWN_ERROR"),
        (#"{"status": "SOMETHING_NEW", "results": []}"#, "SOMETHING_NEW"),
    ])
    func aStatusOtherThanOKIsAReportedFailure(_ text: String, _ message: String) {
        #expect(throws: ReportedFailure(message)) { try PlacePage.decoded(text, by: Places.self) }
    }

    @Test(arguments: [
        #"{"html_attributions": [], "results": [], "status": "ZERO_RESULTS"}"#,
        #"{"html_attributions": [], "results": [], "status": "OK"}"#,
    ])
    func aSearchMayFindNothing(_ text: String) throws {
        let page = try PlacePage.decoded(text, by: Places.self)
        #expect(page.places.isEmpty)
        #expect(page.nextPageToken == nil)
    }

    @Test(arguments: [
        #"{"status": "OK"}"#,
        #"{"status": "OK", "results": [{"name": "A"}]}"#,
        #"{"results": []}"#,
        #"{"status": 1, "results": []}"#,
    ])
    func aPageWithoutItsRequiredFieldsIsAMismatch(_ text: String) {
        #expect(throws: ModelMismatch.self) { try PlacePage.decoded(text, by: Places.self) }
    }

    @Test(
        arguments: [
            ("", nil),
            (#", "opening_hours": {}"#, nil),
            (#", "opening_hours": null"#, nil),
            (#", "opening_hours": {"open_now": true}"#, true),
        ] as [(String, Bool?)])
    func fieldsOfAPlaceAreOptional(_ text: String, _ isOpen: Bool?) throws {
        let place = try Place.decoded(
            #"{"geometry": {"location": {"lat": 1, "lng": -2.5}}, "name": "A", "place_id": "B"\#(text)}"#,
            by: Places.self)
        #expect(place.openingHours?.isOpenNow == isOpen)
        #expect(place.geometry?.location.latitude == 1)
        #expect(place.geometry?.location.longitude == -2.5)
        #expect(place.rating == nil)
        #expect(place.photos == nil)
        #expect(place.priceLevel == nil)
    }

    @Test func emptyOpeningHoursAreWrittenAsTheyWereRead() throws {
        let text = #"{"geometry":{"location":{"lat":1,"lng":2}},"name":"A","opening_hours":{},"place_id":"B"}"#
        let place = try Place.decoded(text, by: Places.self)
        #expect(String(decoding: try Places.api.coding.encode(place), as: UTF8.self) == text)
    }
}
