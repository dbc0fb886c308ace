import EndpointKit

/// Ways to react to failures.
enum Failures {
    static func nilForAMissingPlant(_ client: Client) async throws -> Plant? {
        do {
            return try await client.send(Garden.plant(7), as: Plant.self)
        } catch ResponseError.status(let error) where error.status == 404 {
            return nil
        }
    }

    static func readTheErrorBody(_ client: Client) async throws -> Int? {
        do {
            try await client.send(Garden.remove(id: 7))
            return nil
        } catch ResponseError.status(let error) {
            return try error.body(as: GardenError.self).code
        }
    }

    static func askForALogin(_ client: Client) async throws -> [String] {
        do {
            try await client.send(Garden.remove(id: 7))
            return []
        } catch RequestError.missingCredential(let missing) {
            return missing.alternatives.joined().map { "set \($0)" }
        }
    }

    static func tellWhyThereIsNoResponse(_ client: Client) async throws -> String? {
        do {
            try await client.send(Garden.remove(id: 7))
            return nil
        } catch let error as TransportError {
            return error.cause == .notConnected ? "offline" : "\(error)"
        }
    }

    static func findTheValueThatDoesNotFit(_ client: Client) async throws -> String? {
        do {
            _ = try await client.send(Garden.plant(7), as: Plant.self)
            return nil
        } catch ResponseError.modelMismatch(let mismatch) {
            return "\(mismatch)"
        }
    }

    static func catchABrokenRule(_ client: Client) async throws -> Bool {
        do {
            try await client.send(Garden.water(id: 7, litres: 99))
            return false
        } catch RequestError.ruleViolation {
            return true
        }
    }

    static func showTheAPIsOwnMessage(_ error: any Error) -> String {
        if case ResponseError.status(let failure) = error { return failure.serverMessage ?? "\(failure)" }
        return "\(error)"
    }
}
