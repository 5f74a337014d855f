import { startFault } from "../../faults/start-fault.ts";
import type { FaultRow } from "../../faults/fault-row.ts";
import { answer, type ServerScript } from "../../faults/server-script.ts";
import { startServer } from "../test-server.ts";
import type { BrokenKind, BrokenRun } from "./broken-kind.ts";
import { bothModels, once } from "./test-source.ts";

const get = `({ http }) => http.get("/")`;

/** Returns a one-liner of thirty requests in at most a second, without workers: the closed model has one. */
function oneLiner(url: string, flags: readonly string[] = []): BrokenRun {
  return {
    how: "one-liner",
    arguments: [`${url}/`, "-c", "2", "-n", "30", "-d", "1s", "--workers", "0", ...flags],
  };
}

/** Returns runs that meet a fault: of a file in both models and, if flags can express it, of a one-liner. */
async function faultRuns(
  reach: NonNullable<FaultRow["reach"]>,
  script: ServerScript | undefined,
  timeout: string | null = null,
): Promise<BrokenRun[]> {
  const row: FaultRow = { name: "", rows: [], reach, outcome: { code: null, status: 0 }, next: null };
  const { baseUrl, http } = await startFault(row, script);
  const options = `http: ${JSON.stringify({ ...http, ...(timeout === null ? {} : { timeout }) })},`;
  const canUseFlags = reach.by !== "name";
  return [
    ...bothModels({ baseUrl, exec: get, options }),
    ...(canUseFlags ? [oneLiner(baseUrl, timeout === null ? [] : ["--timeout", timeout])] : []),
  ];
}

/** Returns a kind whose server does this to each connection. */
const scripted = (kind: string, script: ServerScript[number], timeout: string | null = null): BrokenKind => ({
  kind,
  runs: () => faultRuns({ by: "address" }, [script], timeout),
});

/** Returns a kind whose server answers every request with this status. */
const answering = (kind: string, status: number): BrokenKind => ({
  kind,
  runs: async () => {
    const { url } = await startServer((_request, response) => void response.writeHead(status).end());
    return [...bothModels({ baseUrl: url, exec: get }), oneLiner(url)];
  },
});

/** Starts a server that answers this many requests, and then hangs. */
async function hangingAfter(answered: number): Promise<string> {
  let count = 0;
  const { url } = await startServer((_request, response) => {
    if (++count <= answered) setTimeout(() => response.end("hello"), 5);
  });
  return url;
}

const unreachable: readonly BrokenKind[] = [
  { kind: "Nothing listens", runs: () => faultRuns({ by: "closedPort" }, undefined) },
  {
    kind: "Connections are not accepted",
    runs: () => faultRuns({ by: "fullBacklog" }, undefined, "400ms"),
  },
  {
    kind: "A host name that does not exist",
    runs: () => faultRuns({ by: "name", answer: "NXDOMAIN" }, undefined),
  },
  {
    kind: "Name servers that do not answer",
    runs: () => faultRuns({ by: "name", answer: "silence" }, undefined, "400ms"),
  },
];

const encrypted: readonly BrokenKind[] = [
  {
    kind: "A certificate that is not trusted",
    runs: () => faultRuns({ by: "tls", certificate: "selfSigned" }, undefined),
  },
  {
    kind: "A certificate for another host",
    runs: async () =>
      (await faultRuns({ by: "tls", certificate: "wrongHost" }, undefined)).filter(
        ({ how }) => how !== "one-liner",
      ),
  },
  {
    kind: "`https` at a port that speaks plain HTTP",
    runs: async () => {
      const { url } = await startServer();
      const secure = url.replace("http:", "https:");
      return [...bothModels({ baseUrl: secure, exec: get }), oneLiner(secure)];
    },
  },
  {
    kind: "Plain HTTP at a port that speaks TLS",
    runs: async () => {
      const row = { name: "", rows: [], outcome: { code: null, status: 0 }, next: null } as const;
      const fault = await startFault({ ...row, reach: { by: "tls", certificate: "good" } });
      const plain = fault.baseUrl.replace("https:", "http:");
      return [...bothModels({ baseUrl: plain, exec: get }), oneLiner(plain)];
    },
  },
];

const half = "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf of it";

const silent: readonly BrokenKind[] = [
  {
    kind: "A server that hangs from the start",
    runs: async () => {
      const url = await hangingAfter(0);
      const load = `executor: "constant-vus", vus: 2, duration: "1s", gracefulStop: "500ms"`;
      return [
        ...once({ baseUrl: url, exec: get, load }),
        ...bothModels({ baseUrl: url, exec: get }),
        oneLiner(url),
      ];
    },
  },
  {
    kind: "A server that hangs half-way, in an open model",
    runs: async () => {
      const load = `executor: "constant-arrival-rate", rate: 50, duration: "2s", gracefulStop: "500ms", maxVUs: 5`;
      return once({ baseUrl: await hangingAfter(20), exec: get, load });
    },
  },
  {
    kind: "A server that hangs half-way, in a closed model with `http_req_failed: rate<1%`",
    runs: async () => {
      const load = `executor: "constant-vus", vus: 5, duration: "1s", gracefulStop: "1s"`;
      const thresholds = `thresholds: { http_req_failed: ["rate<1%"] },`;
      const flags = ["--threshold", "http_req_failed: rate<1%"];
      return [
        ...once({ baseUrl: await hangingAfter(20), exec: get, load, thresholds }),
        oneLiner(await hangingAfter(20), flags),
      ];
    },
  },
  {
    kind: "A server that hangs shortly before the end",
    runs: async () => {
      const load = `executor: "constant-vus", vus: 12, duration: "400ms", gracefulStop: "100ms"`;
      const thresholds = `thresholds: { http_req_failed: ["rate<50%"] },`;
      return once({ baseUrl: await hangingAfter(5), exec: get, load, thresholds });
    },
  },
  {
    kind: "A server that is too slow for the rate",
    runs: async () => {
      const { url } = await startServer((_request, response) => void setTimeout(() => response.end(), 250));
      const load = `executor: "constant-arrival-rate", rate: 40, duration: "1s", gracefulStop: "1s", maxVUs: 2`;
      return once({ baseUrl: url, exec: get, load });
    },
  },
  scripted("A server slower than the timeout", ["waitForRequest"], "300ms"),
  scripted(
    "A body that never ends",
    [
      ...answer("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n"),
      { repeat: "x", times: 1000, everyMs: 20 },
    ],
    "400ms",
  ),
];

const faulty: readonly BrokenKind[] = [
  scripted("Connections that are closed without a response", ["waitForRequest", "end"]),
  scripted("Connections that are reset", ["waitForRequest", "reset"]),
  scripted("Responses that are cut short", [...answer(half), { waitMs: 5 }, "end"]),
  scripted("Responses that are not HTTP", [...answer("SSH-2.0-OpenSSH_9.2\r\n"), "end"]),
  answering("Every response is a 401", 401),
  answering("Every response is a 404", 404),
  answering("Every response is a 500", 500),
  {
    kind: "Redirects in a loop",
    runs: async () => {
      const { url } = await startServer(
        (_request, response) => void response.writeHead(302, { location: "/" }).end(),
      );
      return bothModels({ baseUrl: url, exec: get });
    },
  },
  {
    kind: "Redirects without end",
    runs: async () => {
      let step = 0;
      const { url } = await startServer(
        (_request, response) => void response.writeHead(307, { location: `/step/${++step}` }).end(),
      );
      return bothModels({ baseUrl: url, exec: get });
    },
  },
];

/** Targets that cannot be measured. */
export const deadTargets: readonly BrokenKind[] = [...silent, ...unreachable, ...encrypted, ...faulty];
