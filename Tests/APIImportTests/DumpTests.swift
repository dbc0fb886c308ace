import APIImport
import Foundation
import JSONText
import Testing

@Test func dump() throws {
    var out = ""
    for path in (ProcessInfo.processInfo.environment["DUMP"] ?? "").split(separator: " ") {
        let parts = path.split(separator: "=")
        let document = try JSONDocument([UInt8](Data(contentsOf: URL(fileURLWithPath: String(parts[1])))))
        let models = try InferredModels([.init(String(parts[0]), [document])])
        out += "// \(path)\n// \(models.roots) \(models.coding ?? "")\n"
        for note in models.notes { out += "// \(note)\n" }
        for one in models.declarations { out += "\n" + one.text }
        out += "\n"
    }
    try out.write(toFile: "/tmp/w/tmp-imp1/dump.txt", atomically: true, encoding: .utf8)
}
