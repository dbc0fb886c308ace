import EndpointKit

/// The task's side of one transfer: starts it, delivers its body, and stops it with the last reference to the reader.
final class BodyReader: Sendable {
    private let loop: CurlLoop
    private let delivery = Delivery()

    init(loop: CurlLoop) { self.loop = loop }

    deinit { stop() }

    /// Starts the transfer and returns the head of the final response.
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

    /// Returns the body's next chunk, or nil at its end.
    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let hasRoomAgain = delivery.awaitBytes(waiter)
                if hasRoomAgain { loop.post(.resume(delivery)) }
            }
        } onCancel: {
            stop()
        }
    }

    /// Resumes the waiting task at once. The loop closes the connection in its own time.
    private func stop() {
        let wasRunning = delivery.abandon()
        if wasRunning { loop.post(.stop(delivery)) }
    }
}
