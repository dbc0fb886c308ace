import EndpointKit
import EndpointTools
import MockServer

extension CallRoutes {
    /// A path of a route, and how the route is shown.
    private struct Candidate {
        let path: String
        /// The method and path template, such as `GET /movie/{id}/videos`.
        let text: String
    }

    /// Returns the route whose path is most similar to `path`, such as `GET /movie/{id}/videos`.
    ///
    /// - Returns: Nil if no route is similar, and for a path that is too long to compare.
    func nearest(to path: String) -> String? {
        guard path.utf8.count <= NearestWord.maxLength else { return nil }
        let candidates = mounts.flatMap { Self.candidates(for: path, in: $0) }
        let nearest = NearestWord.matches(path, in: candidates.map(\.path)).first
        return candidates.first { $0.path == nearest }?.text
    }

    /// Returns the paths of all routes of an API, with the values of the requested path in place of parameters.
    private static func candidates(for path: String, in mount: Mount) -> [Candidate] {
        // A client may have left out the path that the API is under, such as `/movies`.
        let prefixes = mount.prefixes + mount.prefixes.map { String($0.dropFirst(mount.path.count)) }
        return mount.endpoints.flatMap { route in
            let text = "\(route.endpoint.method.rawValue) \(mount.path + route.template)"
            return prefixes.map { prefix in
                Candidate(path: filled(prefix + route.template, from: path), text: text)
            }
        }
    }

    /// Returns a template with the segments of `path` as its values, so that values don't count as differences.
    ///
    ///     /movie/{id}/videos and /movie/7/video  →  /movie/7/videos
    private static func filled(_ template: String, from path: String) -> String {
        let values = path.split(separator: "/", omittingEmptySubsequences: false)
        let segments = template.split(separator: "/", omittingEmptySubsequences: false)
        let filled = segments.enumerated().map { index, segment in
            segment.hasPrefix("{") && index < values.count ? values[index] : segment
        }
        return filled.joined(separator: "/")
    }
}
