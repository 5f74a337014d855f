import type { ValidatedDns, ValidatedHttp, ValidatedTimeouts, ValidatedTls } from "./validated-http.ts";

const defaultTimeouts: ValidatedTimeouts = { connectMs: null, firstByteMs: null, wholeMs: 60_000 };

const defaultTls: ValidatedTls = {
  ca: null,
  cert: null,
  key: null,
  passphrase: null,
  clients: [],
  serverName: null,
  insecureSkipTlsVerify: false,
  minVersion: "1.2",
  maxVersion: "1.3",
  ciphers: null,
  resumeSessions: true,
};

const defaultDns: ValidatedDns = { ttlMs: 60_000, policy: "preferIPv4", select: "roundRobin", servers: [] };

/** How requests are sent where nothing is said about it. */
export const defaultHttp: ValidatedHttp = {
  headers: [],
  timeouts: defaultTimeouts,
  discardBodies: false,
  maxBodyBytes: null,
  cookies: "iteration",
  cache: "none",
  connections: "perVu",
  maxConnections: null,
  maxRequestsPerConnection: null,
  protocol: "auto",
  transport: "bearhug",
  maxConcurrentStreams: 100,
  tls: defaultTls,
  dns: defaultDns,
  hosts: {},
  proxy: null,
  noProxy: [],
  unixSocket: null,
  localAddresses: [],
  auth: null,
  redirects: 10,
  expect: null,
  throwOnError: false,
  retryOnStaleConnection: false,
};
