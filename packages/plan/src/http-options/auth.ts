import type { Auth, AwsAuth, BasicAuth, BearerAuth, DigestAuth } from "@bearhug/sdk";
import { z, once } from "@bearhug/sdk/internal";

import { chosenSchema, optionsObject } from "../validation/option-schemas.ts";

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
