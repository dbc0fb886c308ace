/// An instruction to the loop's thread.
enum Command: Sendable {
    case start(TransferPlan, Delivery)
    /// The delivery has room again.
    case resume(Delivery)
    case stop(Delivery)
    case quit
}
