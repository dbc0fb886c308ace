// coding ISSUES DENSE ROUNDS: decodes and encodes a file of GitHub issues by EndpointKit and by Foundation in turn, and reads a dense file
// into a JSONValue. Prints the seconds of each round as JSON.

import EndpointKit
import Foundation

/// The seconds of each round, of ours and of Foundation's.
struct Samples: Encodable {
    var decode: [[Double]] = [[], []]
    var encode: [[Double]] = [[], []]
    var value: [Double] = []
}

func seconds<Result>(_ work: () throws -> Result) rethrows -> (Double, Result) {
    var result: Result?
    let time = try ContinuousClock().measure { result = try work() }
    guard let result else { fatalError("the work was not done") }
    return (Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18, result)
}

let words = CommandLine.arguments
guard words.count == 4, let rounds = Int(words[3]) else { fatalError("usage: coding ISSUES DENSE ROUNDS") }
let issues = try Data(contentsOf: URL(fileURLWithPath: words[1]))
let dense = [UInt8](try Data(contentsOf: URL(fileURLWithPath: words[2])))
let bytes = [UInt8](issues)
let theirDecoder = JSONDecoder()
theirDecoder.dateDecodingStrategy = .iso8601
let theirEncoder = JSONEncoder()
theirEncoder.dateEncodingStrategy = .iso8601

var samples = Samples()
for _ in 0..<rounds {
    let (ours, decoded) = try seconds { try Coding().decode([Issue].self, from: bytes) }
    let (theirs, expected) = try seconds { try theirDecoder.decode([Issue].self, from: issues) }
    guard decoded == expected else { fatalError("the values differ") }
    samples.decode[0].append(ours)
    samples.decode[1].append(theirs)
    let (written, text) = try seconds { try Coding().encode(decoded) }
    let (theirWritten, theirText) = try seconds { try theirEncoder.encode(decoded) }
    guard text.count > theirText.count / 2 else { fatalError("the text is too short") }
    samples.encode[0].append(written)
    samples.encode[1].append(theirWritten)
    let (read, value) = try seconds { try Coding().decode(JSONValue.self, from: dense) }
    guard value.description.utf8.count == dense.count else { fatalError("the value is not the whole") }
    samples.value.append(read)
}
print(String(decoding: try JSONEncoder().encode(samples), as: UTF8.self))
