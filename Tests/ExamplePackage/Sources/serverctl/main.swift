import ApictlCLI
import CurlTransport
import Servers

Apictl.main(
    apis: [Etcd.self, Transmission.self, Storage.self, Tables.self], tool: "serverctl", version: "1.0"
) { variable in
    CurlTransport(configuration: CurlConfiguration(variables: variable))
}
