/** Failures of TLS: certificates, versions, ciphers. */
export const tlsErrors = {
  TLS_CERT_EXPIRED: {
    summary: "The target's certificate, or one above it, has expired.",
    cause: "A renewal that failed, or a server that was not reloaded after it.",
    remedy:
      "Renew it. To test in spite of it: `tls.insecureSkipTlsVerify`. Check this machine's clock as well.",
    whose: "target",
    processed: "no",
  },
  TLS_CERT_NOT_YET_VALID: {
    summary: "The target's certificate, or one above it, is not valid yet.",
    cause: "A clock that is wrong, here or where the certificate was made.",
    remedy: "Set the clock. To test in spite of it: `tls.insecureSkipTlsVerify`.",
    whose: "target",
    processed: "no",
  },
  TLS_CERT_SELF_SIGNED: {
    summary:
      "The target's certificate is signed by itself, or by an authority of its own that nobody here knows.",
    cause: "A test or staging server, or a company's own authority or inspecting proxy.",
    remedy:
      "Trust it: give the certificate, or its authority's, in `tls.ca`. Or do not verify: `tls.insecureSkipTlsVerify`.",
    whose: "test",
    processed: "no",
  },
  TLS_CERT_UNKNOWN_CA: {
    summary: "The issuer of the target's certificate is not known.",
    cause:
      "A private authority, or a server that does not send its intermediate certificate (browsers fetch it, and hide the mistake).",
    remedy: "Have the server send its whole chain, or give the authority in `tls.ca`.",
    whose: "target",
    processed: "no",
  },
  TLS_CERT_WRONG_HOST: {
    summary: "The target's certificate is for another host than the one that was asked for.",
    cause:
      "An address instead of a name in `baseUrl`, a default certificate because the server name (SNI) is not configured there, or a name that the certificate lacks.",
    remedy:
      "Use a name that the certificate has; with `hosts` it may lead to any address. Or say which name to expect: `tls.serverName`.",
    whose: "test",
    processed: "no",
  },
  TLS_CERT_REJECTED: {
    summary: "The target's certificate was rejected for another reason; the cause names it.",
    cause: "Revoked, signed with a weak key or digest, not meant for servers, or a chain that is too long.",
    remedy:
      "Read the cause. To test in spite of it: `tls.insecureSkipTlsVerify`; weak keys also need `tls.ciphers` with a lower security level.",
    whose: "target",
    processed: "no",
  },
  TLS_CLIENT_CERT_REQUIRED: {
    summary: "The target wants a certificate of the client, or does not accept the one it was given.",
    cause: "Mutual TLS.",
    remedy: "Give `tls.cert` and `tls.key` (and `tls.passphrase`), with the chain that the target trusts.",
    whose: "test",
    processed: "no",
  },
  TLS_VERSION_MISMATCH: {
    summary: "The two sides have no version of TLS in common.",
    cause: "An old server with TLS 1.0 or 1.1 alone, or `tls.minVersion` or `tls.maxVersion` set too narrow.",
    remedy: "Widen `tls.minVersion` and `tls.maxVersion`.",
    whose: "test",
    processed: "no",
  },
  TLS_CIPHER_MISMATCH: {
    summary: "The two sides have no cipher suite in common.",
    cause:
      "An old or very strict server, or `tls.ciphers` set too narrow. Some servers say so as well where versions or curves do not match.",
    remedy: "Set `tls.ciphers` to what the server offers, and look at `tls.minVersion` and `tls.maxVersion`.",
    whose: "test",
    processed: "no",
  },
  TLS_ALPN_MISMATCH: {
    summary: "The target does not speak the version of HTTP that the test insists on.",
    cause:
      '`protocol: "http2"` with a server that has HTTP/1.1 alone, or `"http1"` with one that has HTTP/2 alone.',
    remedy: 'Set `protocol: "auto"`, or switch the protocol on at the server.',
    whose: "test",
    processed: "no",
  },
  TLS_NOT_SPOKEN: {
    summary: "What answered on the port does not speak TLS.",
    cause: "`https` in an address whose port speaks plain HTTP.",
    remedy: "Use `http` in the address, or the port that speaks TLS.",
    whose: "test",
    processed: "no",
  },
  TLS_FAILED: {
    summary: "The TLS handshake failed, or TLS broke down later; the cause names the alert.",
    cause:
      "A server name (SNI) that the target does not know, a middlebox that interferes, or a fault of the target's TLS.",
    remedy:
      'Read the cause. Try `tls.serverName` and `tls.maxVersion: "1.2"`, and `openssl s_client -connect HOST:PORT` by hand.',
    whose: "target",
    processed: "no",
  },
  TLS_TIMEOUT: {
    summary: "The TLS handshake did not end within the time-out.",
    cause: "A target whose processors are busy with handshakes, or a port that accepts and says nothing.",
    remedy:
      "Resume sessions (`tls.resumeSessions`) and keep connections, if real clients do; else give the target more processors. Or raise `timeout.connect`.",
    whose: "target",
    processed: "no",
  },
} as const;
