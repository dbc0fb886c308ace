import Testing

/// Which server a request is sent to, and errors in choosing one.
struct ServerChoiceTests {
    private static let url = ["APICTL_ECHO_URL": "http://from.variable:81/base/"]

    private static func request(_ id: String, _ words: String, variables: [String: String] = [:], to url: String) -> Row
    {
        Row(
            id, "call echo.ping --dry-run \(words)", variables: variables,
            out: "POST \(url)/ping\nAccept: application/json\nUser-Agent: apictl/0.1.0\n")
    }

    private static func signed(_ id: String, _ words: String, variables: [String: String] = [:], to url: String) -> Row
    {
        Row(
            id, "call movies.forget 1 --dry-run \(words)", variables: variables,
            out:
                "DELETE \(url)/movie/1/rating?api_key=(not set: MOVIES_KEY)\nX-Client: tests\nAccept: application/json\nUser-Agent: apictl/0.1.0\n"
        )
    }

    static let choices: [Row] = [
        request("the first environment", "", to: "http://127.0.0.1:9"),
        request("base URL", "--base-url https://h.test", to: "https://h.test"),
        request(
            "base URL with a path and a slash", "--base-url https://h.test:8443/v1//", to: "https://h.test:8443/v1"),
        request("base URL with an IPv6 address", "--base-url http://[::1]:8080", to: "http://[::1]:8080"),
        request("variable of the API", "", variables: url, to: "http://from.variable:81/base"),
        request("empty variable", "", variables: ["APICTL_ECHO_URL": ""], to: "http://127.0.0.1:9"),
        signed("environment", "--env staging", to: "https://staging.movies.test/3"),
        signed(
            "environment from the variable", "", variables: ["APICTL_ENV": "staging"],
            to: "https://staging.movies.test/3"),
        signed(
            "the API's variable before APICTL_ENV", "",
            variables: ["APICTL_ENV": "staging", "APICTL_MOVIES_URL": "http://h"], to: "http://h"),
        signed(
            "base URL before a wrong APICTL_ENV", "--base-url http://h", variables: ["APICTL_ENV": "nowhere"],
            to: "http://h"),
    ]

    static let wrongs: [Row] = [
        wrong(
            "call echo.ping --base-url example", "--base-url: 'example' is not a URL such as https://api.example.com"),
        wrong(
            "call echo.ping --base-url localhost:8080",
            "--base-url: 'localhost:8080' has no scheme; did you mean http://localhost:8080?"),
        wrong("call echo.ping --base-url http:///x", "--base-url: 'http:///x' has no host"),
        wrong(
            "call echo.ping --base-url ftp://h/",
            "--base-url: 'ftp://h/' has the scheme ftp; only http and https are supported"),
        wrong(
            ["call", "echo.ping", "--base-url", "http://h/\r\nX: y"],
            "--base-url: 'http://h/\\r\\nX: y' is not a URL such as https://api.example.com"),
        wrong(
            "call echo.ping --base-url http://h/?x=1", "--base-url: 'http://h/?…' has a query; use --query NAME=VALUE"),
        wrong("call echo.ping --base-url http://h/#x", "--base-url: 'http://h/#…' has a fragment, which is never sent"),
        wrong(
            "call echo.ping --base-url http://user:hunter2@h/",
            "--base-url holds credentials; they would show in process lists and logs"),
        wrong(
            "call echo.ping --base-url http://h:65536",
            "--base-url: 'http://h:65536' has a port that is not from 1 to 65535"),
        wrong(
            "call echo.ping", variables: ["APICTL_ECHO_URL": "nonsense"],
            "APICTL_ECHO_URL is not a URL such as https://api.example.com"),
        wrong(
            "curl echo.ping", variables: ["APICTL_ECHO_URL": "http://u:hunter2@h"],
            "APICTL_ECHO_URL holds credentials; they would show in process lists and logs"),
        wrong(
            "call movies.popular --env stagin",
            "--env: movies has no server 'stagin', only production, staging; did you mean 'staging'?"),
        wrong(
            "call movies.popular", variables: ["APICTL_ENV": "qa"],
            "APICTL_ENV: movies has no server 'qa', only production, staging"),
    ]

    @Test(arguments: choices + wrongs)
    func row(_ row: Row) async { await row.check() }
}
