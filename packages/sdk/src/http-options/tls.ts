export const tlsVersions = ["1.0", "1.1", "1.2", "1.3"] as const;

/**
 * How TLS connections are made. A certificate or key is a string in PEM, or the path of a file in PEM or DER.
 */
export interface TlsOptions {
  /** Certificate authorities to trust instead of Node's own. @default Node's own */
  readonly ca?: string | readonly string[];
  /**
   * The client certificate, with its chain. A file may also be PKCS #12 (PFX), or PEM that includes the key.
   * @default none
   */
  readonly cert?: string;
  /** The key of the client certificate, unless `cert` includes it. */
  readonly key?: string;
  /** Decrypts the key, or the PKCS #12 of `cert`. */
  readonly passphrase?: string;
  /**
   * A client certificate for each virtual user, by its `vu.index`; after the last one, they start again with
   * the first. Virtual users with different certificates share no connection and no TLS session.
   * @default `cert` and `key` for all
   */
  readonly clients?: readonly TlsClient[];
  /** The name to send as SNI and to verify in the certificate. @default the host of the URL */
  readonly serverName?: string;
  /** Skips TLS certificate verification. @default false */
  readonly insecureSkipTlsVerify?: boolean;
  /** The lowest version of TLS to accept. @default "1.2" */
  readonly minVersion?: (typeof tlsVersions)[number];
  /** The highest version of TLS to use. @default "1.3" */
  readonly maxVersion?: (typeof tlsVersions)[number];
  /** Cipher suites in OpenSSL's notation. @default Node's */
  readonly ciphers?: string;
  /** Resumes a virtual user's TLS session on later connections, as browsers do. @default true */
  readonly resumeSessions?: boolean;
}

/** A client certificate: a string in PEM, or the path of a file in PEM or DER. */
export interface TlsClient {
  /** The certificate, with its chain. A file may also be PKCS #12 (PFX), or PEM that includes the key. */
  readonly cert: string;
  /** The key of the certificate, unless `cert` includes it. */
  readonly key?: string;
  /** Decrypts the key, or the PKCS #12 of `cert`. */
  readonly passphrase?: string;
}
