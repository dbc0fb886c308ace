import EndpointKit
import JSONText

/// The places of a text that a model asks about, with the positions of lists and the keys of dictionaries folded into one.
package struct FoldedPlaces: Sendable {
    /// The highest number of distinct places. A recursive model has more of them the deeper the text is nested.
    static let most = 10_000
    /// Characters of a name that are kept.
    private static let maxNameLength = 200
    static let root = 0

    enum Step: Equatable, Sendable {
        /// By the model's key.
        case key(String)
        /// All elements of an array.
        case element
        /// All members of a dictionary.
        case member
    }

    struct Place: Sendable {
        let parent: Int
        let step: Step
        /// The key in the text.
        var name: String
        /// How many values there are.
        var values = 0
        /// How many of them are objects that the model has asked for keys.
        var objects = 0
        /// How many of them are lists that the model has asked for elements.
        var lists = 0
        /// How many elements those lists have together.
        var elements = 0
        /// Whether it was asked for as one that may be absent.
        var isOptional = false
        /// Whether it is a dictionary: its keys are data.
        var isDictionary = false
        /// The places below this one, and which of them is probably the next: a type asks for the same keys in the same order each time.
        fileprivate var (children, next) = ([Int](), 0)

        init(parent: Int, step: Step, name: String) { (self.parent, self.step, self.name) = (parent, step, name) }
    }

    var places = [Place(parent: -1, step: .element, name: "$")]

    /// The place that a step from `parent` leads to, made if it is new; nil if there are too many.
    mutating func child(_ step: Step, of parent: Int, name: @autoclosure () -> String = "*") -> Int? {
        if let known = known(of: parent, where: { $1 == step }) { return known }
        guard places.count < Self.most else { return nil }
        places[parent].children.append(places.count)
        places[parent].next = 0
        places.append(Place(parent: parent, step: step, name: Self.shortened(name())))
        return places.count - 1
    }

    /// The place below `parent` that `isIt` tells from the others; the one that is probably the next is asked about first.
    @inline(__always)
    mutating func known(of parent: Int, where isIt: (_ place: Int, _ step: Step) -> Bool) -> Int? {
        let (children, next) = (places[parent].children, places[parent].next)
        for index in children.indices {
            let position = next + index < children.count ? next + index : next + index - children.count
            let place = children[position]
            if isIt(place, places[place].step) {
                places[parent].next = position + 1 < children.count ? position + 1 : 0
                return place
            }
        }
        return nil
    }

    /// Counts an object, or a list, that the model has opened.
    mutating func open(_ place: Int, elements: Int?) {
        if let elements {
            places[place].lists += 1
            places[place].elements += elements
        } else {
            places[place].objects += 1
        }
    }

    /// A long name is cut; if `redact` takes secrets out of it, a hash of what is left of the whole tells it from others that begin alike.
    static func shortened(_ name: String, _ redact: ((String) -> String)? = nil) -> String {
        if name.utf8.count <= maxNameLength { return name }
        let shown = redact?(name) ?? name
        return shown.prefix(maxNameLength) + "…" + (redact == nil ? "" : String(shown.utf8.hash64, radix: 16))
    }

    /// The steps to a place from the top.
    private func steps(_ place: Int) -> [Place] {
        sequence(first: place) { places[$0].parent }.prefix { $0 != Self.root }.map { places[$0] }.reversed()
    }

    /// The path as text: `$.results[*].adult`.
    func path(_ place: Int) -> String {
        let steps = steps(place).map { place in
            switch place.step {
            case .key: Self.step(place.name)
            case .element: "[*]"
            case .member: ".*"
            }
        }
        return "$" + steps.joined()
    }

    /// The paths where there were objects, as text.
    package var objectPaths: Set<String> { Set(places.indices.filter { places[$0].objects > 0 }.map(path)) }

    /// The path with the model's keys, without the positions in arrays and the keys of dictionaries.
    func codingPath(_ place: Int) -> [any CodingKey] {
        steps(place).map {
            if case .key(let key) = $0.step { PositionKey(stringValue: key) } else { PositionKey(intValue: 0) }
        }
    }

    /// `.name`, or `['+1']` for a name that is not an identifier.
    package static func step(_ name: String) -> String { JSONPathComponent.key(name).text }

    /// Adds the counts of `other`.
    mutating func merge(_ other: FoldedPlaces) {
        var here: [Int?] = [Self.root]
        for (index, place) in other.places.enumerated() {
            // A parent comes before its children.
            if index > 0 { here.append(here[place.parent].flatMap { child(place.step, of: $0, name: place.name) }) }
            guard let target = here[index] else { continue }
            places[target].values += place.values
            places[target].objects += place.objects
            places[target].lists += place.lists
            places[target].elements += place.elements
            if place.isOptional { places[target].isOptional = true }
        }
    }

    /// The keys that were never sent, and the lists that never had an element, in the order in which the model asks for them.
    package var notes: [CheckProblem] {
        places.enumerated().compactMap { index, place in
            let objects = index == Self.root ? 0 : places[place.parent].objects
            if place.lists > 0, place.elements == 0 {
                return CheckProblem(.emptyList, path: path(index), count: place.lists, total: place.lists)
            }
            guard place.isOptional, place.values == 0, objects > 0 else { return nil }
            return CheckProblem(.absentKey, path: path(index), count: objects, total: objects)
        }
    }
}
