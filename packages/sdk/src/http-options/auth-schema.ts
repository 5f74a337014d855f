import { z } from "zod";

import type { Auth } from "../http/auth.ts";
import { chosenSchema } from "../validation/chosen-schema.ts";
import { optionsObject } from "../validation/options-object.ts";

/** Not shown where it is wrong: it may be a secret. */
const text = z.string({ error: "must be a string" });
const given = z.string({ error: "must be a string" }).min(1, { error: "must not be empty" });
const username = text.refine((name) => !name.includes(":"), {
  error: "must not have a colon in it: there the password begins",
});

const bearer: z.ZodType<Auth> = optionsObject("auth", { bearer: given });
const basic: z.ZodType<Auth> = optionsObject("auth", {
  type: z.literal("basic").default("basic"),
  username,
  password: text,
});
const digest: z.ZodType<Auth> = optionsObject("auth", {
  type: z.literal("digest"),
  username: text,
  password: text,
});
const aws: z.ZodType<Auth> = optionsObject("auth", {
  type: z.literal("aws-sigv4"),
  region: given,
  service: given,
  accessKeyId: given,
  secretAccessKey: given,
  sessionToken: given.optional(),
});
const unknownType: z.ZodType<Auth> = z.unknown().transform((_value, context) => {
  const message =
    'must be { bearer }, { username, password }, { type: "digest", … } or { type: "aws-sigv4", … }';
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

/** How requests say who sends them. */
export const authSchema: z.ZodType<Auth> = chosenSchema((value) => {
  if (typeof value !== "object" || value === null) return unknownType;
  if (!("type" in value)) return "bearer" in value ? bearer : basic;
  switch (value.type) {
    case "basic":
    case undefined:
      return basic;
    case "digest":
      return digest;
    case "aws-sigv4":
      return aws;
    default:
      return unknownType;
  }
});
