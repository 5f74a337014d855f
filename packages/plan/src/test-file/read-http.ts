import { authSecrets } from "../http-options/auth.ts";
import { httpContradictions } from "../http-options/http-contradictions.ts";
import type { TestProblem } from "../definition/invalid-test.ts";
import type { ValidatedHttp } from "../http-options/validated-http.ts";
import type { ValidatedScenario } from "../executors/validated-scenario.ts";
import type { ValidatedTls } from "../http-options/tls.ts";
import { type HttpFlags, overrideHttp } from "./http-flags.ts";
import { optionProblem, pathOfScenario } from "./plan-problem.ts";
import { readTls, type TlsPlaces } from "./read-tls.ts";

/** The final HTTP options, with certificates read and their secrets listed. */
export interface PlannedHttp {
  readonly http: ValidatedHttp;
  readonly scenarios: readonly ValidatedScenario[];
  readonly secrets: readonly string[];
}

/** Decides how the requests of a test and its scenarios are sent; adds to `problems` each option that cannot be used. */
export function readHttp(
  http: ValidatedHttp,
  scenarios: readonly ValidatedScenario[],
  flags: HttpFlags,
  problems: TestProblem[],
): PlannedHttp {
  const reader = new HttpReader(flags, problems);
  return {
    http: reader.read(http, { prefix: "", path: "http" }),
    scenarios: scenarios.map((scenario) => ({
      ...scenario,
      http: reader.read(scenario.http, {
        prefix: `Scenario ${scenario.name}: `,
        path: `${pathOfScenario(scenario.name)}.http`,
      }),
    })),
    secrets: [...reader.secrets],
  };
}

/** The origin of options: the beginning of sentences about them, and their path. */
interface Part {
  readonly prefix: string;
  readonly path: string;
}

/** Reads options that several scenarios share only once, and reports their problems only once. */
class HttpReader {
  readonly secrets: Set<string> = new Set();
  readonly #flags: HttpFlags;
  readonly #problems: TestProblem[];
  readonly #https = new Map<ValidatedHttp, ValidatedHttp>();
  readonly #tls = new Map<ValidatedTls, ValidatedTls>();

  constructor(flags: HttpFlags, problems: TestProblem[]) {
    this.#flags = flags;
    this.#problems = problems;
  }

  read(given: ValidatedHttp, part: Part): ValidatedHttp {
    const known = this.#https.get(given);
    if (known !== undefined) return known;
    const overridden = overrideHttp(given, this.#flags);
    // The test itself is valid, so a flag must contradict it.
    for (const { path, message } of httpContradictions(overridden))
      this.#report({
        code: "INVALID_OPTION",
        path: `${part.path}.${path}`,
        message: `${part.prefix}http.${path} ${message}.`,
      });
    if (overridden.proxy !== null) this.#keepPassword(overridden.proxy);
    for (const secret of overridden.auth === null ? [] : authSecrets(overridden.auth))
      this.secrets.add(secret);
    const http = { ...overridden, tls: this.#readTls(given.tls, overridden.tls, part) };
    this.#https.set(given, http);
    return http;
  }

  #readTls(given: ValidatedTls, overridden: ValidatedTls, { prefix, path }: Part): ValidatedTls {
    const known = this.#tls.get(given);
    if (known !== undefined) return known;
    const problems: string[] = [];
    const tls = readTls(overridden, this.#tlsPlaces(`${prefix}http.tls`), problems);
    for (const message of problems)
      this.#report(message.startsWith("--") ? optionProblem(message) : { path: `${path}.tls`, message });
    for (const secret of [tls, ...tls.clients].flatMap(({ key, passphrase }) => [key?.trim(), passphrase]))
      if (typeof secret === "string") this.secrets.add(secret);
    this.#tls.set(given, tls);
    return tls;
  }

  #tlsPlaces(place: string): TlsPlaces {
    const { ca, client } = this.#flags;
    const own = { cert: `${place}.cert`, key: `${place}.key`, passphrase: `${place}.passphrase` };
    const ofFlags = { cert: "--cert", key: "--key", passphrase: "--pass" };
    return {
      ...(client === null ? own : ofFlags),
      ca: ca === null ? `${place}.ca` : "--ca",
      ciphers: `${place}.ciphers`,
      clients: `${place}.clients`,
    };
  }

  #keepPassword(proxy: string): void {
    const { password } = new URL(proxy);
    if (password !== "") this.secrets.add(password).add(decodeURIComponent(password));
  }

  /** A flag applies to every scenario: its problem is reported once. */
  #report(problem: TestProblem): void {
    if (!this.#problems.some(({ message }) => message === problem.message)) this.#problems.push(problem);
  }
}
