import EndpointKit

/// The part of a file that earlier requests saved, and what a response to the request for the rest means (RFC 9110, section 14).
struct ResumePoint: Equatable {
    /// The file with the saved bytes, for messages.
    var path: String
    /// The number of bytes saved.
    var length: Int
    /// The version of the server's file that the bytes are from; nil if another tool saved them.
    var version: FileVersion?
    /// When the bytes were last written, in seconds since 1970.
    var modified: Int

    /// What to do with a response.
    enum Action: Equatable {
        /// The response is the whole file: start over with it.
        case replace(note: String?)
        /// The response continues the saved bytes up to and including byte `last` of `total`.
        case append(last: Int, total: Int?, note: String?)
        /// All bytes are already saved.
        case complete(note: String?)
        /// The response is part of a changed file: discard the saved bytes and request the whole.
        case restart(note: String)
        /// The status is a failure.
        case failure
    }

    /// The headers that request the rest, uncompressed because a range of compressed bytes could not be appended.
    var headers: [Header] {
        var headers = [Header("Accept-Encoding", "identity")]
        if length > 0 {
            headers.append(Header("Range", "bytes=\(length)-"))
            if let condition = version?.ifRange { headers.append(Header("If-Range", condition)) }
        }
        return headers
    }

    /// What to do with the response that starts with `head`.
    ///
    /// `isOpenEnded` if the last saved part came without the length of the whole. Throws ``UnusableResponse`` if nothing of the response
    /// may be saved.
    func action(for head: ResponseHead, isOpenEnded: Bool = false) throws(UnusableResponse) -> Action {
        switch head.status {
        case 206: try actionForPart(head)
        case 200..<300: try actionForWhole(head)
        case 416 where length > 0: try actionForNoRest(head, isOpenEnded)
        default: .failure
        }
    }

    private func actionForWhole(_ head: ResponseHead) throws(UnusableResponse) -> Action {
        if let coding = compression(head) {
            throw UnusableResponse(
                description: "the response is compressed (\(coding)) although it was requested uncompressed; "
                    + "leave out --continue")
        }
        guard length > 0 else { return .replace(note: nil) }
        // A 202 or 204, for example, has no file to replace the saved bytes with.
        guard [200, 203].contains(head.status) else { throw unusable("status \(head.status) instead of the file") }
        let new = FileVersion(head)
        if hasChanged(new) { return .replace(note: "the file has changed on the server; starting over") }
        if new.length == length, isConfirmed(by: new) { return .complete(note: "\(path) is complete") }
        return .replace(note: "the server does not support partial downloads; starting over")
    }

    private func actionForPart(_ head: ResponseHead) throws(UnusableResponse) -> Action {
        if let coding = compression(head) { throw unusable("a compressed part (\(coding))") }
        if head.mediaType == "multipart/byteranges" { throw unusable("a multipart/byteranges response") }
        guard let text = head["Content-Range"], let content = ContentRange(text), let range = content.range else {
            throw unusable("a 206 without a valid Content-Range")
        }
        guard length > 0 else { throw unusable("a part (206) although the whole file was requested") }
        guard range.lowerBound == length else {
            throw unusable("a part from byte \(range.lowerBound), not from byte \(length) as requested")
        }
        let new = FileVersion(head)
        let hasExpectedTag = version?.etag.map { !FileVersion.isStrong($0) || new.etag != nil } ?? true
        if hasChanged(new) || !hasExpectedTag {
            // A server that was sent If-Range must not send part of another version; without If-Range it may.
            if version?.ifRange != nil { throw unusable("part of a different version of the file") }
            return .restart(note: "the file has changed on the server; starting over")
        }
        let total = content.total ?? version?.length
        if let total, range.upperBound >= total { throw unusable("a part beyond the end of the file") }
        let isSameVersion = isConfirmed(by: new) || version?.ifRange != nil
        let note = "the server does not say whether the file has changed since \(path) was written; resuming"
        return .append(last: range.upperBound, total: total, note: isSameVersion ? nil : note)
    }

    /// For a 416: the server has no bytes after the saved ones.
    private func actionForNoRest(_ head: ResponseHead, _ isOpenEnded: Bool) throws(UnusableResponse) -> Action {
        // Some servers leave out the length. Then it is known only if an earlier response stated it or ended exactly here.
        let known = version?.length == length || isOpenEnded ? length : nil
        guard let total = head["Content-Range"].flatMap(ContentRange.init)?.total ?? known else { return .failure }
        // A length that differs from the one announced earlier is another file's, even if it equals the number of saved bytes.
        guard total == length, !hasChanged(FileVersion(etag: head["ETag"], length: total)) else {
            throw unusable("status 416 for a file of \(total) bytes, but \(length) bytes are saved")
        }
        // If this run has just written the last bytes, there is nothing to report.
        return .complete(note: isOpenEnded ? nil : "\(path) is complete")
    }

    /// Whether `new` shows that the server's file is another version than the saved bytes.
    private func hasChanged(_ new: FileVersion) -> Bool {
        if let version { return !version.agrees(with: new) }
        // If another tool saved the bytes, only a change after that is certain.
        return new.lastModified.flatMap(HTTPDate.parse).map { $0 > modified } ?? false
    }

    /// Whether `new`, which shows no change, also shows that the version is the same.
    private func isConfirmed(by new: FileVersion) -> Bool {
        version?.isSame(as: new) ?? (new.lastModified.flatMap(HTTPDate.parse) != nil)
    }

    /// Throws ``UnusableResponse`` if `request` asked for the whole file and the response is only a part of it.
    static func requireWhole(_ head: ResponseHead, of request: Request) throws(UnusableResponse) {
        guard head.status == 206, !request.headers.contains(where: { $0.isNamed("Range") }) else { return }
        let content = head["Content-Range"].flatMap(ContentRange.init)
        // Only the announced length proves that the body is as long as the range says.
        if let range = content?.range, let total = content?.total, range == 0...total - 1,
            head["Content-Length"] == String(total)
        {
            return
        }
        throw UnusableResponse(description: "the server sent a part (206) instead of the whole")
    }

    private func unusable(_ what: String) -> UnusableResponse {
        UnusableResponse(description: "the server sent \(what); remove \(path) to start over")
    }

    private func compression(_ head: ResponseHead) -> String? {
        head["Content-Encoding"].flatMap { $0.lowercased() == "identity" ? nil : $0 }
    }
}

/// A response that does not match the request for a file or the rest of it.
struct UnusableResponse: Error, Equatable {
    let description: String
}
