import Testing

@testable import JSONText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct DecodingObserverTests {
    /// Notes everything in a line each.
    final class Notes: DecodingObserver {
        let observation: Observation
        private var makesUpMissing: Bool { observation == .shape }
        let document: JSONDocument
        var lines: [String] = []
        private var open: [ObjectIdentifier] = []

        init(_ text: String, _ observation: Observation) throws {
            self.observation = observation
            document = try JSONDocument(Array(text.utf8))
        }

        private func path(_ place: ObservedPlace) -> String {
            place.codingPath.map { JSONPathComponent($0) }.pathText
        }

        func willDecode(_ type: Any.Type, at place: ObservedPlace) -> Bool {
            if place.slot == nil, open.contains(ObjectIdentifier(type)) {
                lines.append("\(path(place)): \(type) again")
                return false
            }
            open.append(ObjectIdentifier(type))
            return true
        }

        func didDecode(_ type: Any.Type, at place: ObservedPlace, completed: Bool) { open.removeLast() }

        func didDecodeScalar(_ type: Any.Type, at place: @autoclosure () -> ObservedPlace) {
            if makesUpMissing { lines.append("\(path(place())): \(type)") }
        }

        func didAsk(
            for key: any CodingKey, isOptional: Bool, of object: ObservedPlace, member: Int?
        ) {
            if makesUpMissing, isOptional { lines.append("\(path(object)).\(key.stringValue)?") }
            if !makesUpMissing, member == nil { lines.append("\(path(object)): no \(key.stringValue)") }
        }

        func didAskForAllKeys(of object: ObservedPlace, areData: Bool) { lines.append("\(path(object)): dictionary") }
        func didOpenArray(_ array: ObservedPlace) { if makesUpMissing { lines.append("\(path(array)): array") } }

        func didRefuse(_ error: DecodingError, at place: ObservedPlace) {
            lines.append(JSONMismatch(error, in: document).description)
        }
    }

    struct Model: Decodable {
        var id: Int
        var name: String
        var tags: [String]
        var kind: Kind
        var score: Double?
        var made: Date?
        var children: [Model]?
        var byName: [String: Bool]?
    }

    enum Kind: String, Decodable, CaseIterable { case small, large }

    @Test func goesOnWhereDecodingWouldStop() throws {
        let notes = try Notes(
            """
            [{"id":"x","tags":[1,"a",null],"kind":"huge","score":[],"children":[{"id":1,"name":"n","tags":[],"kind":"small"},7]},
            {"id":2,"name":"b","tags":{},"kind":"small","byName":{"a":true,"b":1}}]
            """, .mismatches)
        let models = try JSONTextDecoder().decode([Model].self, from: notes.document, observer: notes)
        #expect(models.map(\.id) == [0, 2])
        #expect(models[0].tags == ["", "a", ""])
        #expect(
            notes.lines.filter { !$0.contains(": no ") } == [
                #"$[0].id: expected integer, found string "x" (line 1, column 8)"#,
                #"$[0]: missing key "name" (line 1, column 2)"#,
                "$[0].tags[0]: expected string, found number 1 (line 1, column 20)",
                "$[0].tags[2]: expected string, found null (line 1, column 26)",
                #"$[0].kind: expected one of small, large, found string "huge" (line 1, column 39)"#,
                "$[0].score: expected number, found array (line 1, column 54)",
                "$[0].children[1]: expected object, found number 7 (line 1, column 114)",
                "$[1].tags: expected array, found object (line 2, column 27)", "$[1].byName: dictionary",
                "$[1].byName: dictionary",
                "$[1].byName.b: expected boolean, found number 1 (line 2, column 68)",
            ])
    }

    @Test func showsTheShapeWithoutText() throws {
        let notes = try Notes("null", .shape)
        _ = try JSONTextDecoder().decode(
            Model.self, from: notes.document, observer: notes)
        #expect(
            notes.lines == [
                "$.id: Int", "$.name: String", "$.tags: array", "$.tags[0]: String", "$.kind: String", "$.score?",
                "$.score: Double", "$.made?", "$.made: Date", "$.children?", "$.children: array",
                "$.children[0]: Model again", "$.byName?", "$.byName: dictionary", "$.byName['0']: Bool",
            ])
    }
}
