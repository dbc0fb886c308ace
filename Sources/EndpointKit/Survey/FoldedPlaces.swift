import JSONText

/// The places of a text that a model asks about, with the positions of lists and the keys of dictionaries folded into one.
package struct FoldedPlaces: Sendable {
    /// The highest number of distinct places. A recursive model has more of them the deeper the text is nested.
    static let most = 10_000
    /// Characters of a name that are kept.
    private static let longestName = 200
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
        /// The slot of the first of those objects or lists in the text.
        var firstContainer = 0
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
    mutating func child(_ step: Step, of parent: Int, name: @autoclosure () -> String) -> Int? {
        if let next = places[parent].nextChild, places[next].step == step {
            places[parent].next = places[next].order + 1
            return next
        }
        let child = Child(parent: parent, step: step)
        if let known = children[child] {
            places[parent].next = places[known].order + 1
            return known
        }
        guard places.count < Self.most else { return nil }
        children[child] = places.count
        let order = places[parent].children.count
        places[parent].children.append(places.count)
        places[parent].next = order + 1
        places.append(Place(parent: parent, step: step, name: Self.shortened(name()), order: order))
        return places.count - 1
    }

    static func shortened(_ name: String) -> String {
        name.utf8.count <= longestName ? name : String(name.prefix(longestName)) + "…"
    }

    /// The path as text: `$.results[*].adult`.
    func path(_ place: Int) -> String {
        var steps: [String] = []
        var place = place
        while place != Self.root {
            switch places[place].step {
            case .key: steps.append(Self.step(places[place].name))
            case .element: steps.append("[*]")
            case .member: steps.append(".*")
            }
            place = places[place].parent
        }
        return "$" + steps.reversed().joined()
    }

    /// `.name`, or `['+1']` for a name that is not an identifier.
    package static func step(_ name: String) -> String { JSONPathComponent.key(name).text }
}

extension FoldedPlaces {
    /// Adds the counts of `other`, and returns its places by their places here; nil if there are too many.
    mutating func merge(_ other: FoldedPlaces) -> [Int?] {
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
        return here
    }
}
