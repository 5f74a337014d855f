import { readFileSync } from "node:fs";

import type { ClientModule, ClientDependencies, Ledger, ThreadClients } from "@bearhug/plan/clients/client";
import { hostWithPort } from "@bearhug/plan/http-options/host-destinations";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { randomSource } from "@bearhug/plan/pacing/random-source";
import type { DefinitionSource } from "@bearhug/plan/protocol/definition-source";
import type { Variant } from "@bearhug/plan/protocol/variants";
import { once } from "@bearhug/sdk/internal";
import { version } from "@bearhug/text/version";

import { HttpOfVu, type MakeFetchClient } from "./client.ts";
import { Networks } from "./pool/network.ts";
import { BodyBudget, LastBodies } from "./exchange/last-bodies.ts";
import { Deadlines } from "./exchange/deadlines.ts";
import { ExchangeRecorder } from "./exchange/exchange-recorder.ts";
import type { HttpEnvironment } from "./http-environment.ts";
import { loadFetchSupport, loadUndici } from "./load-undici.ts";
import { AllowedHosts, MovedHosts } from "./request/hosts.ts";
import { EndpointCache } from "./request/endpoint-cache.ts";
import { MissingValues } from "./request/missing-values.ts";
import { limitsOf } from "./request/request-limits.ts";
import { bodiesTakeTooMuch } from "./response/response.ts";
import { Session, type HttpEnvironments, type SharedHttp } from "./session/session.ts";
import { DecodedSizes } from "./exchange/decoded-sizes.ts";
import { CachedBodies } from "./session/browser-cache.ts";
import type { SpeakUndici } from "./undici/undici-client.ts";

/** The parts of HTTP that are loaded for tests that need them. */
export interface LoadedHttp {
  readonly makeFetchClient: MakeFetchClient;
  readonly speakUndici: SpeakUndici | null;
  /** Reads the test's code; null for a test made from addresses on the command line, which has no code. */
  readonly readCode: (() => string) | null;
}

/** The HTTP client, as a thread loads it. */
export const client: ClientModule = {
  load: async (source, plan) => {
    const { makeFetchClient } = await loadFetchSupport(source);
    const speakUndici = await loadUndici(plan);
    return (parts) => startHttp(parts, { makeFetchClient, speakUndici, readCode: codeReader(source) });
  },
};

function codeReader(source: DefinitionSource): LoadedHttp["readCode"] {
  switch (source.kind) {
    case "module":
      return () => readFileSync(source.bundlePath, "utf8");
    case "url":
      return null;
    case "object":
      return () => "";
  }
}

/** Starts the HTTP client in one thread. */
export function startHttp(parts: ClientDependencies, loaded: LoadedHttp): ThreadClients {
  const { clock, plan, mask } = parts;
  const deadlines = new Deadlines(clock);
  const bodies = new BodyBudget(once(() => parts.warn(mask.hide(bodiesTakeTooMuch))));
  const warnOfLostCookies = once(() => parts.warn(mask.hide(lostCookies)));
  const recorders = {
    load: new ExchangeRecorder(parts.load, mask, parts.startedAtMs),
    warmup: parts.warmup && new ExchangeRecorder(parts.warmup, mask, parts.startedAtMs),
    vuState: parts.vuState && new ExchangeRecorder(parts.vuState, mask, parts.startedAtMs),
  };
  const lastBodies = new LastBodies(bodies);
  const missingValues = loaded.readCode === null ? null : new MissingValues(loaded.readCode, parts.isData);
  const networks = new Networks({
    clock,
    random: randomSource(plan.seed, addressStream),
    onOpen: () => {
      parts.load.accounting.add("connectionsOpened");
      parts.connections?.opened();
    },
    onClose: () => {
      parts.load.accounting.add("connectionsClosed");
      parts.connections?.closed();
    },
    onUnrequestedBytes: ({ text }, bytes, lastName) => {
      const nowMs = clock.now();
      const recorder = nowMs < parts.startedAtMs() ? (recorders.warmup ?? recorders.load) : recorders.load;
      recorder.recordUnrequestedBytes(text, bytes, lastName, nowMs);
    },
    speakUndici: loaded.speakUndici,
  });
  const { makeFetchClient } = loaded;
  return {
    withOptions: ({ http }) => {
      const shared = { ...parts, deadlines, bodies, lastBodies, missingValues };
      const environmentsOf = (variant: Variant | null): HttpEnvironments => {
        const measured = environment(http, variant, shared, parts.load, recorders.load);
        const separate = (phase: "warmup" | "vuState"): HttpEnvironment => {
          const [ledger, recorder] = [parts[phase], recorders[phase]];
          if (ledger === null || recorder === null) return measured;
          return environment(http, variant, shared, ledger, recorder);
        };
        return { measured, warmup: separate("warmup"), vuState: separate("vuState") };
      };
      const plain = environmentsOf(null);
      const variants = (plan.variants?.variants ?? []).map(environmentsOf);
      const ofScenario: SharedHttp = {
        plain,
        variants,
        contextOf: (session) => new HttpOfVu(session, makeFetchClient),
        warnOfLostCookies,
      };
      if (plan.baseUrl?.startsWith("https:") === true) networks.of(http).prepareTls();
      return (vu) => new Session(vu, ofScenario, networks.of(http, vu.index));
    },
    close: () => {
      networks.close();
      deadlines.close();
    },
  };
}

/** The parts of a thread's environments that they share. */
type SharedParts = Pick<HttpEnvironment, "deadlines" | "bodies" | "lastBodies" | "missingValues">;

function environment(
  options: ValidatedHttp,
  variant: Variant | null,
  parts: ClientDependencies & SharedParts,
  { accounting, tracer }: Ledger,
  recorder: ExchangeRecorder,
): HttpEnvironment {
  const { clock, plan, folder, mask, missingValues } = parts;
  const { baseUrl, moved } = siteOf(plan, variant);
  const allowedHosts = new AllowedHosts(baseUrl, plan.allowHosts);
  const movedHosts = new MovedHosts(baseUrl, moved);
  const variantHeaders = variant?.headers ?? [];
  const defaultHeaders = withUserAgent(replaceHeaders(options.headers, variantHeaders));
  for (let at = 0; at + 1 < defaultHeaders.length; at += 2)
    mask.seen.lookAtHeader(defaultHeaders[at] ?? "", defaultHeaders[at + 1] ?? "");
  return {
    clock,
    deadlines: parts.deadlines,
    bodies: parts.bodies,
    lastBodies: parts.lastBodies,
    options,
    limits: limitsOf(options),
    baseUrl,
    defaultHeaders,
    variantHeaders,
    decodedSizes: variant === null ? null : new DecodedSizes(clock),
    mask,
    random: randomSource(plan.seed, boundaryStream),
    folder,
    endpoints: new EndpointCache({
      baseUrl,
      allowedHosts,
      movedHosts,
      accounting,
      mask,
      defaultHeaders,
      replacedPaths: variant?.paths ?? [],
    }),
    missingValues,
    faultyDefaults: missingValues?.problemOf(options) ?? null,
    watchesSizes: missingValues === null,
    recorder,
    tracer,
    cachedBodies: new CachedBodies(),
  };
}

/** The site that requests go to: the plan's or the variant's, which then also replaces the moved hosts. */
function siteOf(
  { baseUrl, movedHosts }: ClientDependencies["plan"],
  variant: Variant | null,
): { readonly baseUrl: string | null; readonly moved: ClientDependencies["plan"]["movedHosts"] } {
  if (variant?.target === undefined || baseUrl === null) return { baseUrl, moved: movedHosts };
  const { pathname } = new URL(baseUrl);
  const { base = [], further = [] } = movedHosts ?? {};
  return {
    baseUrl: pathname === "/" ? variant.target : variant.target + pathname,
    moved: { base: [...base, hostWithPort(new URL(baseUrl))], further },
  };
}

const lostCookies =
  'vuState received cookies, which iterations do not send: each of them is a new visitor. To keep cookies, set http: { cookies: "vu" }';

/** Random-number streams that no virtual user uses: for a host's addresses, and for multipart boundaries. */
const addressStream = -1_000_000_000;
const boundaryStream = addressStream - 1;

/** Returns names and values in turn; the variant's replace others of the same name. */
function replaceHeaders(headers: readonly string[], variantHeaders: readonly string[]): readonly string[] {
  const replaced = new Set(variantHeaders.filter(isName).map((name) => name.toLowerCase()));
  const isKept = (position: number): boolean => !replaced.has((headers[position] ?? "").toLowerCase());
  return [...headers.filter((_, at) => isKept(at - (at % 2))), ...variantHeaders];
}

function isName(_text: string, position: number): boolean {
  return position % 2 === 0;
}

function withUserAgent(headers: readonly string[]): readonly string[] {
  const isGiven = headers.some((text, index) => index % 2 === 0 && text.toLowerCase() === "user-agent");
  return isGiven ? headers : ["user-agent", `bearhug/${version}`, ...headers];
}
