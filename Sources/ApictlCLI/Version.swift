/// The version of apictl itself.
public enum Version {
    /// What `--version` prints.
    public static let number = "0.1.0"
}
