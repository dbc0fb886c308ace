import CurlTransport
import EndpointKit
import Servers

// Calls every endpoint of both APIs and prints a line for each: serverclient ETCD-URL TRANSMISSION-URL USER PASSWORD
let words = CommandLine.arguments.dropFirst()
guard words.count == 4 else { fatalError("serverclient ETCD-URL TRANSMISSION-URL USER PASSWORD") }
let (etcdURL, transmissionURL, user, password) = (words[1], words[2], words[3], words[4])

var etcd = Client(transport: CurlTransport(), variables: [:])
etcd.options.base = try BaseURL(etcdURL)
print("version", try await etcd.send(Etcd.version, as: EtcdVersion.self).etcdserver.hasPrefix("3."))
print("health", try await etcd.send(Etcd.health, as: EtcdHealth.self).health)
print("metrics", try await etcd.send(Etcd.metrics, as: RawResponse.self).bytes.count > 1000)
print("status", try await etcd.send(Etcd.status, as: EtcdStatus.self).raftIndex.value > 0)
print("members", try await etcd.send(Etcd.members, as: EtcdMembers.self).members.map(\.name))
let put = Etcd.put(key: "ü", value: "1\n2", lease: nil, prevKv: nil)
_ = try await etcd.send(put, as: EtcdPut.self)
print("put", try await etcd.send(put, as: EtcdPut.self).prevKv == nil)
let range = try await etcd.send(Etcd.range(key: "ü", rangeEnd: nil, limit: nil, keysOnly: nil), as: EtcdRange.self)
let pair = range.kvs?.first
print(
    "range",
    pair.map { [String(decoding: $0.key, as: UTF8.self), String(decoding: $0.value ?? .init(), as: UTF8.self)] } ?? [])
let absent = Etcd.putIfAbsent(key: "ü", value: "other")
print("put-if-absent", try await etcd.send(absent, as: EtcdTransaction.self).succeeded ?? false)
let deletion = Etcd.deleteRange(key: "ü", rangeEnd: nil)
print("delete-range", try await etcd.send(deletion, as: EtcdDeleted.self).deleted?.value ?? 0)
let lease = try await etcd.send(Etcd.grant(seconds: 60), as: EtcdLease.self)
print("grant", lease.seconds.value)
let leases = try await etcd.send(Etcd.leases, as: EtcdLeases.self).leases ?? []
print("leases", leases.contains { $0.id == lease.id })
print("revoke", try await etcd.send(Etcd.revoke(lease: lease.id), as: EtcdRevoked.self).header.revision != nil)
do {
    _ = try await etcd.send(Etcd.revoke(lease: lease.id), as: EtcdRevoked.self)
} catch ResponseError.status(let error) {
    let failure = try error.body(as: EtcdError.self)
    print("failure", error.status, failure.code, error.serverMessage ?? "")
}

var variables = ["TRANSMISSION_USER": user, "TRANSMISSION_PASSWORD": password]
var transmission = Client(transport: CurlTransport(), variables: variables)
transmission.options.base = try BaseURL(transmissionURL)
do {
    _ = try await transmission.send(Transmission.stats, as: Transmission.Reply<Transmission.Stats>.self)
} catch ResponseError.status(let error) {
    print("conflict", error.status)
    variables["TRANSMISSION_SESSION"] = error.response.head["X-Transmission-Session-Id"]
}
let all = variables
transmission.options.variables = { all[$0] }

func call<Arguments: Codable & Sendable>(_ call: Transmission, _ model: Arguments.Type) async throws -> Arguments? {
    try await transmission.send(call, as: Transmission.Reply<Arguments>.self).arguments
}
print("stats", try await call(.stats, Transmission.Stats.self)?.torrentCount ?? -1)
print("session", try await call(.session(fields: ["rpc-version"]), Transmission.Session.self)?.rpcVersion ?? 0)
_ = try await call(.limitDownloads(enabled: true, kilobytesPerSecond: 50), Transmission.Nothing.self)
print("free-space", try await call(.freeSpace(path: "/tmp"), Transmission.Space.self)?.path ?? "")
guard case .add(let metainfo, _)? = Transmission.examples.dropFirst(5).first else {
    fatalError("the example that adds")
}
let added = try await call(.add(metainfo: metainfo, paused: true), Transmission.Added.self)
let torrent = added?.added ?? added?.duplicate
print("add", torrent?.name ?? "")
let ids = torrent?.id.map { [$0] } ?? []
_ = try await call(.stop(ids: ids), Transmission.Nothing.self)
let found = try await call(.torrents(ids: ids, fields: ["name", "addedDate"]), Transmission.Torrents.self)?.torrents
    .first
print("torrents", found?.name ?? "", (found?.addedDate?.timeIntervalSince1970 ?? 0) > 1_700_000_000)
_ = try await call(.remove(ids: ids, deleteLocalData: nil), Transmission.Nothing.self)
do {
    _ = try await call(.add(metainfo: "eA==", paused: true), Transmission.Added.self)
} catch ResponseError.reportedFailure(let error) {
    print("failure", error.message)
}
