import * as z from "zod";

import { chosenSchema, optionsObject } from "../validation/option-schemas.ts";
import { once } from "../validation/once.ts";

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
  /** The token of temporary credentials. */
  readonly sessionToken?: string | undefined;
}

/** Not shown where it is wrong: it may be a secret. */
const text = once(() => z.string({ error: "must be a string" }));
const given = once(() => z.string({ error: "must be a string" }).min(1, { error: "must not be empty" }));
const username = once(() =>
  text().refine((name) => !name.includes(":"), {
    error: "must not have a colon in it: there the password begins",
  }),
);

/** A token may be empty: a variable that is not set is sent as it is, so that an imported test runs at once. */
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

/** How requests say who sends them. */
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
