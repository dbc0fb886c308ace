import Foundation
import Testing

/// Returns the text of a file that a test compares with, or that it reads.
///
/// A file that can't be read is a failure of the test.
///
/// - Parameters:
///   - path: The path of the file, relative to the folder of the test's own file.
///   - testFile: The path of the test's own file.
package func goldenText(_ path: String, beside testFile: String = #filePath) -> String {
    let folder = URL(filePath: testFile).deletingLastPathComponent()
    let file = folder.appending(path: path)
    do {
        return try String(contentsOf: file, encoding: .utf8)
    } catch {
        Issue.record("can't read \(file.path): \(error)")
        return ""
    }
}
