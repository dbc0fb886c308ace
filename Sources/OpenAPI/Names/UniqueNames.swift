/// Makes names unique by appending numbers.
///
///     Pet, Owner, Pet, Pet    →  Pet, Owner, Pet-2, Pet-3
struct UniqueNames {
    /// The text between a name and its number.
    private let separator: String
    /// The names that are in use or reserved.
    private var namesInUse: Set<String>
    /// The reserved names that are not in use yet.
    private var reserved: Set<String>
    /// The last number that was appended to each name. The search for a free number goes on from there, because
    /// counting from 2 would take too long for thousands of equal names.
    private var lastNumbers: [String: Int] = [:]

    /// Creates a set of names.
    ///
    /// - Parameters:
    ///   - separator: The text between a name and its number.
    ///   - inUse: Names that are in use already.
    ///   - reserved: Names that ``addName(_:)`` will be called with. A name with a number never equals one of them.
    init(separator: String, inUse: Set<String> = [], reserved: Set<String> = []) {
        self.separator = separator
        namesInUse = inUse.union(reserved)
        self.reserved = reserved
    }

    /// Adds a name, with a number if the name is in use.
    ///
    /// - Returns: The name that was added, such as `Pet`, or `Pet-2` for the second `Pet`.
    mutating func addName(_ name: String) -> String {
        guard let number = addReturningNumber(name) else { return name }
        return name + separator + "\(number)"
    }

    /// Adds a name, with a number if the name is in use.
    ///
    /// - Returns: The number that was appended, from 2; nil if the name was added without a number.
    mutating func addReturningNumber(_ name: String) -> Int? {
        // The first use of a reserved name needs no number, although the name is in use already.
        let isReserved = reserved.remove(name) != nil
        if isReserved || namesInUse.insert(name).inserted { return nil }
        return addNumbered(name, from: 2)
    }

    /// Adds a name with a number, whether or not the name itself is in use.
    ///
    /// - Parameters:
    ///   - name: The name without a number.
    ///   - firstNumber: The least number to append.
    /// - Returns: The least number with which the name was not in use.
    mutating func addNumbered(_ name: String, from firstNumber: Int) -> Int {
        var number = lastNumbers[name].map { $0 + 1 } ?? firstNumber
        while !namesInUse.insert(name + separator + "\(number)").inserted { number += 1 }
        lastNumbers[name] = number
        return number
    }
}
