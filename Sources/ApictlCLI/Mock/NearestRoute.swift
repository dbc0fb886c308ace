import EndpointKit
import EndpointTools
import MockServer

extension CallRoutes {
    /// A path that a client may have meant, and the route that it belongs to.
    private struct Candidate {
        /// The path, with values in place of its parameters.
        let path: String
        /// The method and path template, such as `GET /movie/{id}/videos`.
        let routeText: String
    }

    /// Returns the route whose path is most similar to a requested path that no route has.
    ///
    /// - Returns: The route, such as `GET /movie/{id}/videos`; nil if no route is similar, and for a path that is too
    ///   long to compare.
    func nearest(to path: String) -> String? {
        guard path.utf8.count <= NearestWord.maxLength else { return nil }
        let candidates = mounts.flatMap { Self.candidates(for: path, in: $0) }
        let nearestPath = NearestWord.matches(path, in: candidates.map(\.path)).first
        return candidates.first { $0.path == nearestPath }?.routeText
    }

    /// Returns the paths of all routes of an API, with the segments of a requested path in place of parameters.
    ///
    /// - Parameters:
    ///   - requestedPath: The path that a client has asked for and that no route has.
    ///   - mount: The API, and the path that it is served under, such as `/movies`.
    private static func candidates(for requestedPath: String, in mount: Mount) -> [Candidate] {
        // A client may have left out the path that the API is served under.
        let prefixesWithoutMount = mount.prefixes.map { String($0.dropFirst(mount.path.count)) }
        let prefixes = mount.prefixes + prefixesWithoutMount
        return mount.endpoints.flatMap { route in
            let routeText = "\(route.endpoint.method.rawValue) \(mount.path + route.template)"
            return prefixes.map { prefix in
                Candidate(path: filled(prefix + route.template, from: requestedPath), routeText: routeText)
            }
        }
    }

    /// Returns a path template with the segments of a requested path in place of parameters, so that values of
    /// parameters don't count as differences.
    ///
    ///     /movie/{id}/videos and /movie/7/video  →  /movie/7/videos
    private static func filled(_ template: String, from requestedPath: String) -> String {
        let requestedSegments = requestedPath.split(separator: "/", omittingEmptySubsequences: false)
        var segments = template.split(separator: "/", omittingEmptySubsequences: false)
        for index in segments.indices where segments[index].hasPrefix("{") && index < requestedSegments.count {
            segments[index] = requestedSegments[index]
        }
        return segments.joined(separator: "/")
    }
}
