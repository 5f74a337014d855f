/** Credentials of a request. */
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
 * Digest authentication (RFC 7616) with SHA-256 or MD5. A server responds to a virtual user's first request
 * with a challenge (401), which counts as a request with an expected status; bearhug then sends the request
 * again with credentials. Later requests send credentials for the same challenge at once, until the server
 * sends a new one.
 */
export interface DigestAuth {
  readonly type: "digest";
  readonly username: string;
  readonly password: string;
}

/** AWS Signature Version 4, in headers. A body that is a stream can be signed for `s3` only. */
export interface AwsAuth {
  readonly type: "aws-sigv4";
  /** The AWS region, such as `"eu-central-1"`. */
  readonly region: string;
  /** The AWS service, such as `"s3"` or `"execute-api"`. */
  readonly service: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The token of temporary credentials. */
  readonly sessionToken?: string | undefined;
}
