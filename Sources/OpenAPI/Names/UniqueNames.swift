/// Makes names different from each other by appending numbers.
///
///     Pet, Owner, Pet, Pet    →    Pet, Owner, Pet-2, Pet-3
struct UniqueNames {
    private let separator: String
    /// The names that have been given, and those that are reserved.
    private var taken: Set<String>
    /// The reserved names that have not been given yet.
    private var ungiven: Set<String>
    /// The number that was appended last to each name, so that many equal names are not counted from the start.
    private var lastNumbers: [String: Int] = [:]

    /// Starts without any names given.
    ///
    /// - Parameters:
    ///   - separator: The text between a name and its number.
    ///   - reserved: Names that will be asked for. A name with a number is never one of them.
    init(separator: String, reserved: Set<String> = []) {
        self.separator = separator
        taken = reserved
        ungiven = reserved
    }

    /// Returns a name that was not given before: the one that is asked for, or else that name with a number.
    mutating func name(_ name: String) -> String {
        guard let number = number(for: name) else { return name }
        return name + separator + "\(number)"
    }

    /// Returns the number that makes a name different from all names that were given before, and gives that name.
    ///
    /// - Returns: The number, from 2; nil if the name itself was not given before.
    mutating func number(for name: String) -> Int? {
        let isReserved = ungiven.remove(name) != nil
        if isReserved || taken.insert(name).inserted { return nil }
        return nextNumber(for: name, from: 2)
    }

    /// Returns the least number that makes a name different, and gives the name with that number.
    ///
    /// - Parameters:
    ///   - name: The name without a number.
    ///   - firstNumber: The number that is tried first.
    mutating func nextNumber(for name: String, from firstNumber: Int) -> Int {
        var number = lastNumbers[name].map { $0 + 1 } ?? firstNumber
        while !taken.insert(name + separator + "\(number)").inserted { number += 1 }
        lastNumbers[name] = number
        return number
    }
}
