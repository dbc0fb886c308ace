import EndpointKit
import JSONText

extension ResponseModel {
    /// What JSON the model reads; nil if it is not JSON. It takes about a millisecond.
    ///
    /// - Parameter sample: A body that fits, for models that refuse made-up values.
    package func shape(sample: [UInt8]? = nil, coding: Coding = Coding()) -> ModelShape? {
        kind == .json ? .of(model, sample: sample, coding: coding) : nil
    }
}
