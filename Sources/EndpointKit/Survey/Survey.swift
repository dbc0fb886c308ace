import JSONText

/// How responses of one endpoint compare with its model: everything that does not fit, everything that was sent and not asked for, everything
/// that was asked for and not sent.
package struct Survey: Sendable {
    /// Findings that are kept, at most.
    package static let mostFindings = 1_000

    /// Whether there are more findings than are kept.
    package internal(set) var hasMore = false
    /// The failure that a response of the right form reports itself; see ``Validated``.
    package internal(set) var reportedFailure: ReportedFailure?

    var places = FoldedPlaces()
    private(set) var noted: [Subject: Noted] = [:]

    /// A survey of no response.
    package init() {}

    /// Identifies a finding.
    struct Subject: Hashable, Sendable {
        let kind: Finding.Kind
        /// Of an unexpected key, the object.
        let place: Int
        /// Of an unexpected key, its name.
        var name: String?
    }

    struct Noted: Sendable {
        var count = 0
        let expected: String?
        let found: String?
        /// The offset of the first one in its text, in bytes.
        let offset: Int
        var line = 0
        var column = 0
        /// How many findings there were before.
        var order = 0
    }

    /// Counts a finding; `first` describes it if it is the first about its subject.
    mutating func note(_ subject: Subject, count: Int = 1, first: () -> Noted) {
        if noted[subject] == nil {
            guard noted.count < Self.mostFindings else {
                hasMore = true
                return
            }
            var added = first()
            added.order = noted.count
            noted[subject] = added
        }
        noted[subject]?.count += count
    }

    /// Counts lines and columns of all findings, which are all in `document`.
    mutating func locate(in document: JSONDocument) {
        let subjects = noted.sorted { ($0.value.offset, $0.key.place) < ($1.value.offset, $1.key.place) }
        let positions = document.positions(of: subjects.map(\.value.offset))
        for (index, (subject, position)) in zip(subjects, positions).enumerated() {
            noted[subject.key]?.order = index
            noted[subject.key]?.line = position.line
            noted[subject.key]?.column = position.column
        }
    }
}

extension Survey {
    /// Whether every response fits the model, that is, whether all of them can be decoded.
    package var fits: Bool { noted.keys.allSatisfy { !$0.kind.isMismatch } }

    /// The findings in the order of the first text, then those that later ones added.
    package var findings: [Finding] {
        let findings = noted.compactMap { subject, noted in
            finding(subject, noted).map { (order: noted.order, finding: $0) }
        }
        return findings.sorted { $0.order < $1.order }.map(\.finding)
    }

    private func finding(_ subject: Subject, _ noted: Noted) -> Finding? {
        let place = places.places[subject.place]
        var path = places.path(subject.place)
        let of: Int
        switch subject.kind {
        case .wrongType, .wrongValue: of = place.values
        case .missingKey: of = places.places[place.parent].objects
        case .absentKey:
            // Another response may have it.
            guard place.values == 0 else { return nil }
            of = places.places[place.parent].objects
        case .unexpectedKey:
            path += FoldedPlaces.step(subject.name ?? "")
            of = place.objects
        }
        return Finding(
            kind: subject.kind, path: path, count: min(noted.count, of), of: of, expected: noted.expected,
            found: noted.found, line: noted.line, column: noted.column)
    }

    /// Adds what another response of the same endpoint showed. A key counts as absent only if it is in none of them.
    package mutating func merge(_ other: Survey) {
        let here = places.merge(other.places)
        for (subject, noted) in other.noted.sorted(by: { $0.value.order < $1.value.order }) {
            guard let place = here[subject.place] else {
                hasMore = true
                continue
            }
            note(Subject(kind: subject.kind, place: place, name: subject.name), count: noted.count) {
                var first = noted
                first.count = 0
                return first
            }
        }
        if other.hasMore { hasMore = true }
        if reportedFailure == nil { reportedFailure = other.reportedFailure }
    }
}

extension Survey {
    /// Compares a document with a model.
    ///
    /// - Parameter check: Called every so often; what it throws stops the survey.
    ///
    /// Throws `JSONDocumentError` if the thread's stack is too small for it, and what the model's own `init(from:)` throws that is not a
    /// `DecodingError`.
    package init<Model: Decodable>(
        of document: JSONDocument, as model: Model.Type, coding: Coding = Coding(), check: (() throws -> Void)? = nil
    ) throws {
        let recorder = SurveyRecorder(document, coding: coding)
        let value = try recorder.decode(model, check: check)
        self = recorder.finish()
        if fits, let value = value as? any Validated {
            do {
                try value.validate()
            } catch {
                reportedFailure = error
            }
        }
    }
}
