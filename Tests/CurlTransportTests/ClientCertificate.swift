/// A client's certificate and its key, made for these tests.
enum ClientCertificate {
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBeTCCAR+gAwIBAgIUEZ1klEEswlE83pvd6lJ3DOOMiVMwCgYIKoZIzj0EAwIw
        ETEPMA0GA1UEAwwGY2xpZW50MCAXDTI2MTEyMTA3MzUwOVoYDzIxMjYxMDI4MDcz
        NTA5WjARMQ8wDQYDVQQDDAZjbGllbnQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
        AATPb1rpgcdEMhxvr7j1ec8PJ5h5LtEv2ZMj6SDchfrG8ZiXZyRfiPeupUHUPkr9
        7wP2STSEg1KyDkzS/nQHf9kjo1MwUTAdBgNVHQ4EFgQUsDnoFuNWvFBQM2Tj+zZN
        07YEV54wHwYDVR0jBBgwFoAUsDnoFuNWvFBQM2Tj+zZN07YEV54wDwYDVR0TAQH/
        BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiBLBLe+sRjSx3JmppSCI7k0XfBGdfkm
        qjnkZ+DAmV6hTQIhAJ2uGYML3sU6SD6ShkN0xsbikvFzC/Y6v+AJ3khaf92p
        -----END CERTIFICATE-----

        """
    /// Encrypted with `sesame`.
    static let encryptedKey = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiF0KAm5gk6LAICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEFHY7ahB0dYzPzIelDHMyywEgZBU
        +tJwMDtauMcK4vaDVEy+7qn0xG32a0kSKaX7u/rrAMUGq5uj2e3MJ81Oc8Nj4SPI
        DmYV/hB//0TBAGtUEbzMnxPyzBfoKdmGmv3Jzy6lE3ZdrVBUsPpxAr8miBwPOzAz
        kOg9zuWeWT2aaNKv0cZuvY0qe1W+HX0xlpBfTZmtrhJZtswtdvdj1hBCTiaHi2M=
        -----END ENCRYPTED PRIVATE KEY-----

        """
}
