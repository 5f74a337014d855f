import type { DnsOptions } from "@bearhug/sdk";
import { dnsPolicies, dnsSelections, z, once } from "@bearhug/sdk/internal";
import { durationSchema } from "../validation/duration.ts";
import { optionsObject, checkedText } from "../validation/option-schemas.ts";
import { nameServerProblem } from "./http-rules.ts";

/** How host names are resolved, with defaults filled in. */
export interface ValidatedDns {
  readonly ttlMs: number;
  readonly policy: NonNullable<DnsOptions["policy"]>;
  readonly select: NonNullable<DnsOptions["select"]>;
  /** Empty for the system's resolver. */
  readonly servers: readonly string[];
}

export const defaultDns: ValidatedDns = {
  ttlMs: 60_000,
  policy: "preferIPv4",
  select: "roundRobin",
  servers: [],
};

export const dnsSchema: () => z.ZodType<ValidatedDns> = once(() =>
  optionsObject("dns", {
    ttl: durationSchema(0).default(defaultDns.ttlMs),
    policy: z.enum(dnsPolicies).default(defaultDns.policy),
    select: z.enum(dnsSelections).default(defaultDns.select),
    servers: z.array(checkedText(nameServerProblem)).default([]),
  }).transform(({ ttl, ...rest }) => ({ ...rest, ttlMs: ttl })),
);
