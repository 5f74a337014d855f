function inScenario(executor: string, options: string): string {
  return `it is one of a scenario: scenarios: { main: { executor: "${executor}", ${options}, exec: … } }`;
}

function inHttp(option: string): string {
  return `write http: { ${option} }`;
}

const constantVUs = inScenario("constant-vus", 'vus: 10, duration: "30s"');

/** The places of k6's options here, for those who write them at the top of a test. */
export const k6Options: ReadonlyMap<string, string> = new Map([
  ["stages", inScenario("ramping-vus", "stages: […]")],
  ["vus", constantVUs],
  ["duration", constantVUs],
  ["iterations", inScenario("shared-iterations", "vus: 10, iterations: 100")],
  ["executor", "it is one of a scenario: scenarios: { main: { executor: …, exec: … } }"],
  ["exec", "it is one of a scenario: scenarios: { main: { executor: …, exec: … } }"],
  ["default", "write the function as the exec of a scenario: scenarios: { main: { executor: …, exec: … } }"],
  ["options", "write scenarios and thresholds in the test itself"],
  ["handleSummary", "write summary: (result) => …"],
  ["rps", inScenario("constant-arrival-rate", "rate: 100")],
  ["minIterationDuration", inScenario("constant-arrival-rate", "rate: 100")],
  ["batch", inHttp("maxConnections: 6")],
  ["batchPerHost", inHttp("maxConnections: 6")],
  ["discardResponseBodies", inHttp("discardBodies: true")],
  ["dns", inHttp("dns: { … }")],
  ["hosts", inHttp("hosts: { … }")],
  ["insecureSkipTLSVerify", inHttp("tls: { insecureSkipTlsVerify: true }")],
  ["localIPs", inHttp("localAddresses: […]")],
  ["maxRedirects", inHttp("redirects: 10")],
  ["noConnectionReuse", inHttp('connections: "perRequest"')],
  ["noCookiesReset", inHttp('cookies: "vu"')],
  ["throw", inHttp("throwOnError: true")],
  ["tlsAuth", inHttp("tls: { cert, key }")],
  ["tlsVersion", inHttp('tls: { minVersion: "1.2" }')],
  ["userAgent", inHttp('headers: { "user-agent": … }')],
]);
