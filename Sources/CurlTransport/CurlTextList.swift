import CSystem
import EndpointKit
import SystemCalls

/// A list of texts in libcurl's form (`curl_slist`), which is freed with this value.
struct CurlTextList: ~Copyable {
    private let curl: LibCurl
    private(set) var first: UnsafeMutablePointer<CCurlList>?

    /// Makes a list.
    ///
    /// - Parameters:
    ///   - curl: The library.
    ///   - first: The first item of a list that libcurl has made, which is freed with this value. Without it, the list
    ///     is empty.
    init(_ curl: LibCurl, first: UnsafeMutablePointer<CCurlList>? = nil) {
        self.curl = curl
        self.first = first
    }

    /// The texts in their order.
    var texts: [String] {
        var texts: [String] = []
        var next = first
        while let item = next {
            if let text = item.pointee.data {
                let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text))
                texts.append(String(exactBytes: Array(bytes)))
            }
            next = item.pointee.next
        }
        return texts
    }

    deinit { curl.functions.pointee.slist_free_all(first) }

    /// Adds a copy of a text to the end of the list.
    ///
    /// - Parameter text: The text, which must end with its only zero byte.
    /// - Returns: False if memory is short.
    mutating func append(_ text: [UInt8]) -> Bool {
        let newFirst = text.withUnsafeBytes { bytes -> UnsafeMutablePointer<CCurlList>? in
            guard let start = bytes.baseAddress else { return nil }
            return curl.functions.pointee.slist_append(first, start.assumingMemoryBound(to: CChar.self))
        }
        guard let newFirst else { return false }
        first = newFirst
        return true
    }
}
