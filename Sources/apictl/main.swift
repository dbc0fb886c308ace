import ApictlCLI
import CurlTransport
import Endpoints

Apictl.main(apis: Catalogue.apis) { variable in
    CurlTransport(
        configuration: CurlConfiguration(
            certificateBundle: variable("CURL_CA_BUNDLE") ?? variable("SSL_CERT_FILE"),
            certificateDirectory: variable("SSL_CERT_DIR")))
}
