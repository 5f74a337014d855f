import * as z from "zod";

import { chosenSchema, optionsObject } from "../validation/option-schemas.ts";
import { once } from "../validation/once.ts";

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

/** The message does not show an invalid value, which may be a secret. */
const text = once(() => z.string({ error: "must be a string" }));
const given = once(() => z.string({ error: "must be a string" }).min(1, { error: "must not be empty" }));
const username = once(() =>
  text().refine((name) => !name.includes(":"), {
    error: "must not contain a colon, because the password begins there",
  }),
);

/** A token may be empty, so that an imported test runs at once with variables that are not set. */
const bearer: () => z.ZodType<BearerAuth> = once(() => optionsObject("auth", { bearer: text() }));
const basic: () => z.ZodType<BasicAuth> = once(() =>
  optionsObject("auth", {
    type: z.literal("basic").default("basic"),
    username: username(),
    password: text(),
  }),
);
const digest: () => z.ZodType<DigestAuth> = once(() =>
  optionsObject("auth", {
    type: z.literal("digest"),
    username: text(),
    password: text(),
  }),
);
const aws: () => z.ZodType<AwsAuth> = once(() =>
  optionsObject("auth", {
    type: z.literal("aws-sigv4"),
    region: given(),
    service: given(),
    accessKeyId: given(),
    secretAccessKey: given(),
    sessionToken: given().optional(),
  }),
);
const unknownType: () => z.ZodType<never> = once(() =>
  z.unknown().transform((_value, context) => {
    const message =
      'must be { bearer }, { username, password }, { type: "digest", … } or { type: "aws-sigv4", … }';
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }),
);

export const authSchema: () => z.ZodType<Auth> = once(() =>
  chosenSchema<Auth>((value) => {
    if (typeof value !== "object" || value === null) return unknownType();
    if (!("type" in value)) return "bearer" in value ? bearer() : basic();
    switch (value.type) {
      case "basic":
      case undefined:
        return basic();
      case "digest":
        return digest();
      case "aws-sigv4":
        return aws();
      default:
        return unknownType();
    }
  }),
);

/** Returns the values of credentials that must not be written anywhere. */
export function authSecrets(auth: Auth): string[] {
  if ("bearer" in auth) return [auth.bearer];
  if ("password" in auth) return [auth.password];
  const { secretAccessKey, sessionToken } = auth;
  return sessionToken === undefined ? [secretAccessKey] : [secretAccessKey, sessionToken];
}
