import type { BenchResults, Figures } from "../../compare/results.ts";

export const figures = (requestsPerSecond: number, more: Partial<Figures> = {}): Figures => ({
  requestsPerSecond,
  cpuUs: 1e6 / requestsPerSecond,
  serverCpuUs: 5,
  serverBusy: 0.5,
  peakRssMb: 10,
  ...more,
});

/** Two tools under one load, three rounds each, and the start of both scripts. */
export const someResults: BenchResults = {
  date: "2026-11-23",
  machine: { cpu: "Some CPU", cores: 2, memoryGb: 24, kernel: "6.18.1", system: "Debian 12" },
  versions: { wrk: "4.1.0", nginx: "1.22.1" },
  missing: ["oha"],
  wantedRounds: 3,
  windowS: 3,
  cases: [
    {
      name: "plain",
      title: "6 bytes, 64 connections",
      results: [
        {
          tool: "wrk",
          title: "wrk",
          rounds: [100_000, 90_000, 110_000].map((rate) => figures(rate, { serverBusy: 0.99 })),
          problems: [],
        },
        {
          tool: "bearhug",
          title: "bearhug <url>",
          rounds: [50_000, 66_000].map((rate) => figures(rate)),
          problems: ["it ended too early: <b>|"],
        },
        { tool: "k6", title: "k6", rounds: [], problems: ["it made no requests"] },
      ],
    },
  ],
  firstSeconds: [
    {
      name: "tls",
      title: "6 bytes, TLS, 64 connections",
      results: [
        { tool: "k6", title: "k6", rounds: [], problems: ["it opened no connection"] },
        {
          tool: "bearhug",
          title: "bearhug <url>",
          rounds: [0.4, 0.49, 0.6].map((firstShare) => ({
            steadyPerSecond: 50_000,
            firstShare,
            secondShare: 0.9,
          })),
          problems: [],
        },
      ],
    },
  ],
  firstRequest: [
    { tool: "k6", title: "k6", rounds: [{ firstRequestMs: 170 }], problems: [] },
    {
      tool: "bearhug-script",
      title: "bearhug, script",
      rounds: [{ firstRequestMs: 280 }, { firstRequestMs: 250 }, { firstRequestMs: 999 }],
      problems: [],
    },
  ],
};
