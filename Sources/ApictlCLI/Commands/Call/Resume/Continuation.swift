import EndpointKit

/// What is there of a file that an earlier run began, and how the rest of it is asked for (RFC 9110, section 14).
struct Continuation: Equatable {
    /// The file that holds the bytes, for messages.
    var path: String
    /// How many bytes are there.
    var length: Int
    /// What the server said of the file; nil where another tool began it.
    var entity: DownloadEntity?
    /// When the bytes were written last, in seconds since 1970.
    var modified: Int

    /// What to do with an answer.
    enum Verdict: Equatable {
        /// It is the whole: start over.
        case whole(note: String?)
        /// It goes on where the bytes end, up to and including `last` of `total`.
        case rest(last: Int, total: Int?, note: String?)
        /// All bytes are there.
        case complete(note: String?)
        /// Another file, of which this answer brings a part only: ask for the whole.
        case again(note: String)
        /// A failure like any other.
        case failure
    }

    /// An answer that does not fit what was asked for.
    struct Misfit: Error, Equatable {
        let description: String
    }

    /// The fields that ask for the rest, and for all of it as it is: a range of packed bytes would be of no use.
    var fields: [Header] {
        var fields = [Header("Accept-Encoding", "identity")]
        if length > 0 {
            fields.append(Header("Range", "bytes=\(length)-"))
            if let condition = entity?.ifRange { fields.append(Header("If-Range", condition)) }
        }
        return fields
    }

    /// Throws ``Misfit`` for an answer of which nothing must be kept.
    ///
    /// `isOpen` where the bytes end with a part whose server did not say how long the whole is.
    func verdict(_ head: ResponseHead, isOpen: Bool = false) throws(Misfit) -> Verdict {
        switch head.status {
        case 206: try verdictOnPart(head)
        case 200..<300: try verdictOnWhole(head)
        case 416 where length > 0: try verdictOnNone(head, isOpen)
        default: .failure
        }
    }

    private func verdictOnWhole(_ head: ResponseHead) throws(Misfit) -> Verdict {
        if let coding = packing(head) {
            throw Misfit(
                description: "the answer is packed (\(coding)) although it must not be; leave out --continue")
        }
        guard length > 0 else { return .whole(note: nil) }
        // Nothing, or a promise, is not the file that was there.
        guard [200, 203].contains(head.status) else { throw misfit("status \(head.status) in place of the file") }
        let new = DownloadEntity(head)
        if new.length == length, !isOther(new), isComparable(new) { return .complete(note: "\(path) is complete") }
        if isOther(new) { return .whole(note: "the file has changed on the server; starting over") }
        return .whole(note: "the server sends no part of a file; starting over")
    }

    private func verdictOnPart(_ head: ResponseHead) throws(Misfit) -> Verdict {
        if let coding = packing(head) { throw misfit("a packed part (\(coding))") }
        if head.mediaType == "multipart/byteranges" { throw misfit("several parts at once") }
        guard let text = head["Content-Range"], let content = ContentRange(text), let range = content.range else {
            throw misfit("a part without saying which")
        }
        guard length > 0 else { throw misfit("a part where the whole was asked for") }
        guard range.lowerBound == length else {
            throw misfit("a part from byte \(range.lowerBound) on where byte \(length) was asked for")
        }
        let new = DownloadEntity(head)
        let isTold = entity?.etag.map { !DownloadEntity.isStrong($0) || new.etag != nil } ?? true
        if isOther(new) || !isTold {
            // A server that was given a condition has to keep to it; without one it is for us to find out.
            if entity?.ifRange != nil { throw misfit("a part of another state of the file") }
            return .again(note: "the file has changed on the server; starting over")
        }
        let total = content.total ?? entity?.length
        if let total, range.upperBound >= total { throw misfit("a part beyond the end of the file") }
        let isChecked = isComparable(new) || entity?.ifRange != nil
        return .rest(
            last: range.upperBound, total: total,
            note: isChecked ? nil : "the server does not tell whether the file is still the one in \(path); going on")
    }

    /// There is no byte behind those that are there.
    private func verdictOnNone(_ head: ResponseHead, _ isOpen: Bool) throws(Misfit) -> Verdict {
        let total = head["Content-Range"].flatMap(ContentRange.init)?.total
        // Some servers do not say how long the file is; what was said before, or that there was a part up to here, may tell.
        guard let total = total ?? (entity?.length == length || isOpen ? length : nil) else { return .failure }
        // As long as what is here, but not as long as was announced, is another file too.
        guard total == length, !isOther(DownloadEntity(etag: head["ETag"], length: total)) else {
            throw misfit("that it has \(total) bytes where \(length) are here")
        }
        // Where this run has just written all of it, that is no news.
        return .complete(note: isOpen ? nil : "\(path) is complete")
    }

    /// Whether an answer tells of another file than the one whose bytes are there.
    private func isOther(_ new: DownloadEntity) -> Bool {
        if let entity { return !entity.agrees(with: new) }
        // Whoever wrote the bytes did so after the server's file had changed last.
        return new.lastModified.flatMap(HTTPDate.parse).map { $0 > modified } ?? false
    }

    /// Whether an answer that is not of another file is said to be of this one.
    private func isComparable(_ new: DownloadEntity) -> Bool {
        entity?.isSame(as: new) ?? (new.lastModified.flatMap(HTTPDate.parse) != nil)
    }

    /// Throws ``Misfit`` for a part of a file in answer to a `request` for the whole; a part from the first byte to the last is the whole.
    static func requireWhole(_ head: ResponseHead, of request: Request) throws(Misfit) {
        guard head.status == 206, !request.headers.contains(where: { $0.isNamed("Range") }) else { return }
        let content = head["Content-Range"].flatMap(ContentRange.init)
        if let range = content?.range, let total = content?.total, range == 0...total - 1 { return }
        throw Misfit(description: "the server sent a part (206) in place of the whole")
    }

    private func misfit(_ what: String) -> Misfit {
        Misfit(description: "the server sent \(what); remove \(path) to start over")
    }

    private func packing(_ head: ResponseHead) -> String? {
        head["Content-Encoding"].flatMap { $0.lowercased() == "identity" ? nil : $0 }
    }
}
