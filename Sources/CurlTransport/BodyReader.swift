import EndpointKit

/// The task's end of one transfer: starts it, hands out its body, and stops it when nobody holds the reader any more.
final class BodyReader: Sendable {
    private let loop: CurlLoop
    private let delivery = Delivery()

    init(loop: CurlLoop) { self.loop = loop }

    deinit { stop() }

    /// Starts the transfer and returns the final response's head.
    func start(_ plan: TransferPlan) async throws -> ResponseHead {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                delivery.awaitHead(waiter)
                loop.post(.start(plan, delivery))
            }
        } onCancel: {
            stop()
        }
    }

    /// The body's next piece; nil at its end.
    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                if delivery.awaitBytes(waiter) { loop.post(.readOn(delivery)) }
            }
        } onCancel: {
            stop()
        }
    }

    /// The waiting task is told at once; the loop drops the connection when it gets to it.
    private func stop() {
        if delivery.abandon() { loop.post(.stop(delivery)) }
    }
}
