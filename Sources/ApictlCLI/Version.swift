/// The version of apictl itself.
public enum Version {
    public static let number = "0.1.0"
}
