import JSONText

// Models and APIs use these types, so that they need to import EndpointKit only.

/// How an API writes keys, dates, data and special numbers in JSON.
public typealias Coding = JSONText.Coding
/// Any JSON value, exactly as it is written.
public typealias JSONValue = JSONText.JSONValue
