/** How a request says who sends it. */
export type Auth = BearerAuth | BasicAuth | DigestAuth | AwsAuth;

/** A bearer token in the header `authorization`. */
export interface BearerAuth {
  readonly bearer: string;
}

/** Basic authentication (RFC 7617), in UTF-8. */
export interface BasicAuth {
  readonly type?: "basic";
  readonly username: string;
  readonly password: string;
}

/**
 * Digest authentication (RFC 7616) with SHA-256 or MD5. The first request of a virtual user to a server is answered with a
 * challenge (401), a request of its own that is counted and expected; it is then sent again with an answer. Later requests
 * answer the same challenge at once, until the server gives another one.
 */
export interface DigestAuth {
  readonly type: "digest";
  readonly username: string;
  readonly password: string;
}

/** AWS Signature Version 4, in headers. A body that is a stream can be signed for `s3` only. */
export interface AwsAuth {
  readonly type: "aws-sigv4";
  /** Such as `"eu-central-1"`. */
  readonly region: string;
  /** Such as `"s3"` or `"execute-api"`. */
  readonly service: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken?: string | undefined;
}

/** Returns the values of credentials that must not be written anywhere. */
export function authSecrets(auth: Auth): string[] {
  if ("bearer" in auth) return [auth.bearer];
  if ("password" in auth) return [auth.password];
  const { secretAccessKey, sessionToken } = auth;
  return sessionToken === undefined ? [secretAccessKey] : [secretAccessKey, sessionToken];
}
