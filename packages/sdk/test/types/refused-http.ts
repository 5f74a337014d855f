// No marked line may compile: an expected error that does not occur is an error itself.
import { defineTest } from "@bearhug/sdk";

const exec = (): void => undefined;
const scenarios = { a: { executor: "shared-iterations", exec } } as const;

export const tests = [
  // @ts-expect-error not an option
  defineTest({ http: { coookies: "vu" }, scenarios }),
  // @ts-expect-error not a mode of cookies
  defineTest({ http: { cookies: "session" }, scenarios }),
  // @ts-expect-error not a protocol
  defineTest({ http: { protocol: "http3" }, scenarios }),
  // @ts-expect-error the unit is missing
  defineTest({ http: { timeout: "60" }, scenarios }),
  // @ts-expect-error not a part of a timeout
  defineTest({ http: { timeout: { dns: "1s" } }, scenarios }),
  // @ts-expect-error not an option of TLS
  defineTest({ http: { tls: { rejectUnauthorized: false } }, scenarios }),
  // @ts-expect-error not a version of TLS
  defineTest({ http: { tls: { minVersion: "1.4" } }, scenarios }),
  // @ts-expect-error not a DNS policy
  defineTest({ http: { dns: { policy: "ipv4" } }, scenarios }),
  // @ts-expect-error a header is a string
  defineTest({ http: { headers: { "x-count": 5 } }, scenarios }),
  // @ts-expect-error a header is a string
  defineTest({ http: { headers: new Map([["x-count", 5]]) }, scenarios }),
  // @ts-expect-error a status is a number
  defineTest({ http: { expect: "200" }, scenarios }),
  // @ts-expect-error a range has two ends
  defineTest({ http: { expect: { min: 200 } }, scenarios }),
  // @ts-expect-error a number of redirects
  defineTest({ http: { redirects: "follow" }, scenarios }),
  // @ts-expect-error an address is a string
  defineTest({ http: { hosts: { "shop.example": 127 } }, scenarios }),
];

export const ofScenarios = defineTest({
  scenarios: {
    // @ts-expect-error not an option
    a: { executor: "shared-iterations", exec, http: { conections: "shared" } },
    // @ts-expect-error not a mode of connections
    b: { executor: "shared-iterations", exec, http: { connections: "perHost" } },
    // @ts-expect-error not a way to select addresses
    c: { executor: "constant-vus", duration: "1m", exec, http: { dns: { select: "last" } } },
  },
});
