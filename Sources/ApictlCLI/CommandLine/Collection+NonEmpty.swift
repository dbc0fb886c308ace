extension Collection {
    /// The collection itself; nil if it is empty. So `??` can give another value for an empty one.
    var nonEmpty: Self? { isEmpty ? nil : self }
}
