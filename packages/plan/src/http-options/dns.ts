import * as z from "zod";
import { type Duration, durationSchema } from "../duration/duration.ts";
import { optionsObject, checkedText } from "../validation/option-schemas.ts";
import { nameServerProblem } from "./http-rules.ts";
import { once } from "../validation/once.ts";

const policies = ["preferIPv4", "preferIPv6", "onlyIPv4", "onlyIPv6", "any"] as const;
const choices = ["first", "roundRobin", "random"] as const;

/** How host names are resolved. */
export interface DnsOptions {
  /**
   * How long new connections use the same DNS answer; 0 resolves the name for each connection. Open
   * connections keep their address until they are closed: see `maxConnectionAge`. @default "60s"
   */
  readonly ttl?: Duration;
  /** Which address family to prefer, or to use alone. @default "preferIPv4" */
  readonly policy?: (typeof policies)[number];
  /** Which of several addresses to connect to. @default "roundRobin" */
  readonly select?: (typeof choices)[number];
  /**
   * Name servers to query instead of the system's resolver, such as `"10.0.0.2"` or `"127.0.0.1:5353"`.
   * @default the system's resolver
   */
  readonly servers?: readonly string[];
}

/** How host names are resolved, with defaults filled in. */
export interface ValidatedDns {
  readonly ttlMs: number;
  readonly policy: (typeof policies)[number];
  readonly select: (typeof choices)[number];
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
    policy: z.enum(policies).default(defaultDns.policy),
    select: z.enum(choices).default(defaultDns.select),
    servers: z.array(checkedText(nameServerProblem)).default([]),
  }).transform(({ ttl, ...rest }) => ({ ...rest, ttlMs: ttl })),
);
