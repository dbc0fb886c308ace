import ApictlCLI
import CurlTransport
import Endpoints

await Apictl.main(apis: Catalogue.apis, transport: CurlTransport())
