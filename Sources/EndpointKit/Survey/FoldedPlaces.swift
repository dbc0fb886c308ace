import JSONText

/// The places of a text that a model asks about, with the positions of lists and the keys of dictionaries folded into one.
package struct FoldedPlaces: Sendable {
    /// The highest number of distinct places. A recursive model has more of them the deeper the text is nested.
    static let most = 10_000
    /// Characters of a name that are kept.
    private static let maxNameLength = 200
    static let root = 0

    enum Step: Hashable, Sendable {
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
        /// How many children of its parent came before it.
        var order = 0
        /// How many values there are.
        var values = 0
        /// How many of them are objects that the model has asked for keys.
        var objects = 0
        /// How many of them are lists that the model has asked for elements.
        var lists = 0
        /// How many elements those lists have together.
        var elements = 0
        /// Where the first of those objects and lists is in the text, in bytes.
        var offset = 0
        /// Its line, if a note is about it.
        var line = 0
        /// Whether it was asked for as one that may be absent.
        var isOptional = false
        /// Whether it is a dictionary: its keys are data.
        var isDictionary = false
        /// The places that steps from here lead to, in the order of the first questions.
        fileprivate var children: [Int] = []
        /// Which of them is probably asked for next: a type asks for the same keys in the same order each time.
        fileprivate var next = 0

        /// After the last comes the first, of the next object.
        fileprivate var nextChild: Int? { next < children.count ? children[next] : children.first }
    }

    private struct Child: Hashable, Sendable {
        let parent: Int
        let step: Step
    }

    var places = [Place(parent: -1, step: .element, name: "$")]
    private var children: [Child: Int] = [:]

    /// The place that a step from `parent` leads to, made if it is new; nil if there are too many.
    mutating func child(_ step: Step, of parent: Int, name: @autoclosure () -> String = "*") -> Int? {
        var found = places[parent].nextChild
        if found.map({ places[$0].step != step }) ?? true { found = children[Child(parent: parent, step: step)] }
        if found == nil {
            guard places.count < Self.most else { return nil }
            found = places.count
            children[Child(parent: parent, step: step)] = found
            let order = places[parent].children.count
            places[parent].children.append(places.count)
            places.append(Place(parent: parent, step: step, name: Self.shortened(name()), order: order))
        }
        places[parent].next = found.map { places[$0].order + 1 } ?? 0
        return found
    }

    /// A long name is cut; if `redact` takes secrets out of it, a hash of what is left of the whole tells it from others that begin alike.
    static func shortened(_ name: String, _ redact: ((String) -> String)? = nil) -> String {
        if name.utf8.count <= maxNameLength { return name }
        let shown = redact?(name) ?? name
        return shown.prefix(maxNameLength) + "…" + (redact == nil ? "" : String(shown.utf8.hash64, radix: 16))
    }

    /// The path as text: `$.results[*].adult`.
    ///
    /// - Parameter node: The last step to one value there; the text is then that of the value: `$.results[3].adult`.
    func path(_ place: Int, of node: PathNode? = nil) -> String {
        var steps: [String] = []
        var (place, node) = (place, node)
        while place != Self.root {
            switch places[place].step {
            case .key: steps.append(Self.step(places[place].name))
            case .element: steps.append(node.map { "[\($0.index)]" } ?? "[*]")
            case .member: steps.append(node.map { Self.step(Self.shortened($0.key?.stringValue ?? "")) } ?? ".*")
            }
            (place, node) = (places[place].parent, node?.parent)
        }
        return "$" + steps.reversed().joined()
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
            if places[target].objects + places[target].lists == 0 {
                (places[target].offset, places[target].line) = (place.offset, place.line)
            }
            places[target].values += place.values
            places[target].objects += place.objects
            places[target].lists += place.lists
            places[target].elements += place.elements
            if place.isOptional { places[target].isOptional = true }
        }
    }

    /// The place of the objects that never had the key, or of the lists that were all empty; nil if there is nothing to note.
    func container(ofNoteOn index: Int) -> Int? {
        let place = places[index]
        if place.lists > 0, place.elements == 0 { return index }
        return place.isOptional && place.values == 0 && places[place.parent].objects > 0 ? place.parent : nil
    }
}
