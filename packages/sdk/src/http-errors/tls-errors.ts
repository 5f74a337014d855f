/** Failures of TLS: certificates, versions, ciphers. */
export const tlsErrors = {
  TLS_CERT_EXPIRED: {
    summary: "The target's certificate, or one in its chain, has expired.",
    cause: "The renewal failed, or the server was not reloaded after it.",
    remedy:
      "Renew the certificate, and check this machine's clock. To test anyway, set `tls.insecureSkipTlsVerify`.",
    whose: "target",
    processed: "no",
    hint: "renew the certificate, or skip verification with --insecure",
  },
  TLS_CERT_NOT_YET_VALID: {
    summary: "The target's certificate, or one in its chain, is not valid yet.",
    cause: "The clock is wrong, either here or where the certificate was issued.",
    remedy: "Correct the clock. To test anyway, set `tls.insecureSkipTlsVerify`.",
    whose: "target",
    processed: "no",
    hint: "check the clock on both sides, or skip verification with --insecure",
  },
  TLS_CERT_SELF_SIGNED: {
    summary: "The target's certificate is self-signed, or its chain ends in an untrusted root.",
    cause: "A test or staging server, a company's own certificate authority, or a proxy that intercepts TLS.",
    remedy:
      "Trust it: add the certificate, or its authority's, to `tls.ca`. To skip verification, set `tls.insecureSkipTlsVerify`.",
    whose: "test",
    processed: "no",
    hint: "trust it with --ca FILE, or skip verification with --insecure",
  },
  TLS_CERT_UNKNOWN_CA: {
    summary: "The target's certificate was issued by an unknown authority.",
    cause:
      "A private authority, or a server that does not send its intermediate certificate. (Browsers fetch it, which hides the mistake.)",
    remedy: "Make the server send its whole chain, or add the authority to `tls.ca`.",
    whose: "target",
    processed: "no",
    hint: "trust its authority with --ca FILE, or skip verification with --insecure",
  },
  TLS_CERT_WRONG_HOST: {
    summary: "The target's certificate is for another host.",
    cause:
      "`baseUrl` has an IP address instead of a name; the server does not know the server name (SNI) and sends its default certificate; the certificate lacks this name.",
    remedy:
      "Use a name that the certificate has; `hosts` can map it to any address. Or set the expected name with `tls.serverName`.",
    whose: "test",
    processed: "no",
    hint: "use a name that the certificate has, or skip verification with --insecure",
  },
  TLS_CERT_REJECTED: {
    summary: "The target's certificate was rejected for another reason; see the cause.",
    cause: "It is revoked, has a weak key or digest, is not meant for servers, or its chain is too long.",
    remedy:
      "Read the cause. To test anyway, set `tls.insecureSkipTlsVerify`. For weak keys, also lower OpenSSL's security level in `tls.ciphers` (`DEFAULT@SECLEVEL=0`).",
    whose: "target",
    processed: "no",
    hint: "replace the certificate, or skip verification with --insecure",
  },
  TLS_CLIENT_CERT_REQUIRED: {
    summary: "The target requires a client certificate, or rejected the one it got.",
    cause: "The target uses mutual TLS.",
    remedy:
      "Set `tls.cert` and `tls.key` (and `tls.passphrase`). If the target needs intermediate certificates, put them into `tls.cert` too.",
    whose: "test",
    processed: "no",
  },
  TLS_VERSION_MISMATCH: {
    summary: "Client and target have no TLS version in common.",
    cause: "The server has only TLS 1.0 or 1.1, or `tls.minVersion` or `tls.maxVersion` is too narrow.",
    remedy: "Widen `tls.minVersion` and `tls.maxVersion`.",
    whose: "test",
    processed: "no",
  },
  TLS_CIPHER_MISMATCH: {
    summary: "Client and target have no cipher suite in common.",
    cause:
      "The server is old or very strict, or `tls.ciphers` is too narrow. Some servers also report this when versions or curves do not match.",
    remedy:
      "Set `tls.ciphers` to suites that the server offers. Check `tls.minVersion` and `tls.maxVersion`.",
    whose: "test",
    processed: "no",
  },
  TLS_ALPN_MISMATCH: {
    summary: "The target does not speak the HTTP version that the test requires.",
    cause:
      '`protocol: "http2"` with a server that has only HTTP/1.1; or `"http1"`, or a dispatched request with `allowH2: false`, with one that has only HTTP/2.',
    remedy: 'Set `protocol: "auto"`, or enable the protocol on the server.',
    whose: "test",
    processed: "no",
    hint: 'the server does not negotiate the required HTTP version: protocol "auto" takes what it has, and "h2c" is HTTP/2 without TLS',
  },
  TLS_NOT_SPOKEN: {
    summary: "The target's port does not speak TLS.",
    cause: "The address starts with `https`, but its port speaks plain HTTP.",
    remedy: "Use `http` in the address, or the port that speaks TLS.",
    whose: "test",
    processed: "no",
    hint: "the port does not speak TLS: try http://",
  },
  TLS_FAILED: {
    summary: "The TLS handshake failed, or TLS broke later; the cause names the alert.",
    cause:
      "The target does not know the server name (SNI), a middlebox interferes, or the target's TLS is faulty.",
    remedy:
      'Read the cause. Try `tls.serverName` and `tls.maxVersion: "1.2"`, or connect by hand: `openssl s_client -connect HOST:PORT`.',
    whose: "target",
    processed: "no",
  },
  TLS_TIMEOUT: {
    summary: "The TLS handshake did not finish within the timeout.",
    cause: "The target's CPUs are busy with handshakes, or the port accepts connections and sends nothing.",
    remedy:
      "If real clients resume TLS sessions and reuse connections, make the test do so too (`tls.resumeSessions`, `connections`). Otherwise, give the target more CPU, or raise `timeout.connect`.",
    whose: "target",
    processed: "no",
    losesTime: true,
  },
} as const;
