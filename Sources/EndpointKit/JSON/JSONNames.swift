import JSONText

// Models and APIs name these; a module that imports EndpointKit alone has them.

/// How an API writes keys, dates, data and special numbers in JSON.
public typealias Coding = JSONText.Coding
/// Any JSON value, exactly as it is written.
public typealias JSONValue = JSONText.JSONValue
