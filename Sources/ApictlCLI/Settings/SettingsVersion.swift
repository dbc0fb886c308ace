/// The version of a file that a person writes, such as a file of cases or a baseline. There is only one.
enum SettingsVersion: Int, Codable, Sendable, CaseIterable { case first = 1 }
