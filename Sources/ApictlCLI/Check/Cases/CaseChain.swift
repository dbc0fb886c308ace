/// The cases of a file and of the files that it includes, in the order in which they run.
struct CaseChain {
    /// The cases that must pass before those of ``cases`` run.
    var setup: [LinkedCase] = []
    var cases: [LinkedCase] = []
    /// The cases that run last, whatever has failed.
    var cleanup: [LinkedCase] = []

    /// All cases in the order in which they run.
    var allCases: [LinkedCase] { setup + cases + cleanup }

    /// Adds a case at the end of a section.
    mutating func append(_ linkedCase: LinkedCase, to section: DecodedCaseFile.Section) {
        switch section {
        case .setup: setup.append(linkedCase)
        case .cases: cases.append(linkedCase)
        case .cleanup: cleanup.append(linkedCase)
        }
    }
}
