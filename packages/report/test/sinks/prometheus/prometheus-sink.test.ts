import type { Reporter } from "@bearhug/sdk";
import { describe, expect, onTestFinished, test } from "vitest";

import { openPrometheus } from "../../../src/sinks/prometheus/prometheus-sink.ts";
import { readPrometheusOptions } from "../../../src/sinks/prometheus/prometheus-options.ts";
import { Scrapes } from "../../../src/sinks/prometheus/scrapes.ts";
import { FakeClock } from "../../../../plan/test/pacing/fake-clock.ts";
import { passed } from "../../results.ts";
import { snapshotOf } from "../../snapshot-of.ts";
import { counterOf } from "../series-of.ts";

interface OpenedSink {
  readonly sink: Reporter;
  readonly url: string;
  readonly warnings: readonly string[];
  readonly losses: readonly string[];
}

async function open(): Promise<OpenedSink> {
  const [warnings, losses]: [string[], string[]] = [[], []];
  const teller = { warn: (text: string) => warnings.push(text), lose: (text: string) => losses.push(text) };
  const sink = await openPrometheus({ host: "127.0.0.1", port: 0 }, teller);
  await sink.onStart?.({ test: { ...passed.test, name: "shop" }, seed: 1, plan: passed.plan });
  const url = /http:\S+/.exec(warnings[0] ?? "")?.[0] ?? "";
  onTestFinished(async () => {
    await sink.onEnd?.({ ...passed, verdict: "interrupted" });
  });
  return { sink, url, warnings, losses };
}

async function read(url: string): Promise<string> {
  return (await fetch(url)).text();
}

describe("the endpoint for Prometheus", () => {
  test("serves the metrics measured so far, and nothing else", async () => {
    const { sink, url } = await open();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    await sink.onInterval?.(snapshotOf({ series: [counterOf("pages", 2)] }));
    await sink.onInterval?.(snapshotOf({ series: [counterOf("pages", 3)] }));
    const response = await fetch(url);
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(await response.text()).toContain('bearhug_run_info{test="shop"} 1');
    expect(await read(url)).toContain("\nbearhug_pages_total 5\n");
    expect((await fetch(new URL("/", url))).status).toBe(404);
    expect((await fetch(url, { method: "POST" })).status).toBe(405);
  });

  test("stays open until the last figures are scraped", async () => {
    const { sink, url, warnings, losses } = await open();
    await read(url);
    await sink.onInterval?.(snapshotOf({ series: [counterOf("pages", 7)] }));
    const ending = sink.onEnd?.(passed);
    expect(await read(url)).toContain("\nbearhug_pages_total 7\n");
    await ending;
    expect(warnings.at(-1)).toBe("waiting up to 15 s for Prometheus to scrape the last figures");
    expect(losses).toEqual([]);
    await expect(read(url)).rejects.toThrow("fetch failed");
  });

  test("does not count a scrape that began before the end as the last one", async () => {
    const clock = new FakeClock();
    const scrapes = new Scrapes(clock);
    const early = scrapes.begin();
    let hasEnded = false;
    const last = scrapes.next(1000).finally(() => (hasEnded = true));
    early();
    await Promise.resolve();
    expect(hasEnded).toBe(false);
    scrapes.begin()();
    expect(await last).toBe(true);
  });

  test("waits for the last scrape only as long as previous intervals suggest", async () => {
    const { sink, url, losses } = await open();
    await read(url);
    await read(url);
    await sink.onEnd?.(passed);
    expect(losses).toEqual([
      "Prometheus did not scrape /metrics after the load, so it lacks the last figures",
    ]);
  });

  test("reports immediately if it was never scraped", async () => {
    const { sink, losses } = await open();
    await sink.onEnd?.(passed);
    expect(losses).toEqual(["Prometheus did not scrape any metrics during the run"]);
  });

  test("states which port is in use, and how to choose another", async () => {
    const port = Number(new URL((await open()).url).port);
    const second = openPrometheus({ host: "127.0.0.1", port }, { warn: () => {}, lose: () => {} });
    await expect(second).rejects.toThrow(
      `port ${port} of 127.0.0.1 is in use. Choose another one: --out prometheus=127.0.0.1:${port + 1}.`,
    );
  });

  test.each([
    [undefined, { host: "127.0.0.1", port: 9464 }],
    ["0.0.0.0:80", { host: "0.0.0.0", port: 80 }],
    ["[::1]:9464", { host: "::1", port: 9464 }],
    ["localhost:0", { host: "localhost", port: 0 }],
  ])("can listen on the address %s", (address, options) => {
    const problems: string[] = [];
    expect(readPrometheusOptions(`prometheus=${address ?? ""}`, address, problems)).toEqual(options);
    expect(problems).toEqual([]);
  });

  test.each(["", "9464", ":9464", "a:b", "a:70000", "::1:9464", "http://a:1"])(
    "rejects the address %j",
    (address) => {
      const problems: string[] = [];
      readPrometheusOptions(`prometheus=${address}`, address, problems);
      expect(problems).toEqual([
        `--out prometheus=${address}: must be written prometheus=HOST:PORT, such as prometheus=127.0.0.1:9464.`,
      ]);
    },
  );
});
