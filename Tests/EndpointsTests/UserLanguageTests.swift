import EndpointKit
import Endpoints
import TestSupport
import Testing

/// The user's language, in which places are described unless the call names another one.
@Suite struct UserLanguageTests {
    @Test(arguments: [
        ([:], "en"),
        (["LANG": "de_DE.UTF-8"], "de"),
        (["LANG": "C"], "en"),
        (["LANG": "C.UTF-8"], "en"),
        (["LANG": "POSIX"], "en"),
        (["LANG": ""], "en"),
        (["LANG": "fr"], "fr"),
        (["LANG": "sr_RS@latin"], "sr"),
        (["LANG": "haw_US"], "haw"),
        (["LANG": "PT_br"], "pt"),
        (["LANG": "de_DE", "LC_MESSAGES": "it_IT"], "it"),
        (["LANG": "de_DE", "LC_MESSAGES": "it_IT", "LC_ALL": "ja_JP.UTF-8"], "ja"),
        (["LANG": "de_DE", "LC_MESSAGES": "", "LC_ALL": ""], "de"),
        (["LANG": "de_DE", "LC_ALL": "C"], "en"),
        (["LANG": "../../x"], "en"),
        (["LANG": "de&key=1"], "en"),
        (["LANG": "語_JP"], "en"),
    ])
    func isTakenFromTheVariablesOfTheLocale(_ variables: [String: String], _ expected: String) {
        #expect(UserLanguage(variables: { variables[$0] }).code == expected)
    }

    @Test func isTheLanguageOfARequestForPlaces() throws {
        let call = Places.nearby(
            latitude: 52.52, longitude: 13.405, keyword: nil, radius: nil, type: nil, language: nil)
        let request = try call.request(RequestOptions(variables: { _ in "k" }))
        #expect(
            request.redactedURL == "https://maps.googleapis.com/maps/api/place/nearbysearch/json"
                + "?location=52.52%2C13.405&radius=6500&type=restaurant&language=\(UserLanguage().code)&key=(redacted)")
    }
}
