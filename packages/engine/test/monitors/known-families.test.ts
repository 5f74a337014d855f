import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Readings } from "@bearhug/plan/monitors/monitor";
import { type ChosenFamily, quantitiesOf } from "@bearhug/plan/monitors/prometheus/chosen-family";
import { parseText } from "@bearhug/plan/monitors/prometheus/parse-text";
import { describe, expect, it } from "vitest";

import { knownQuantities } from "../../src/monitors/prometheus/known-families.ts";
import { Rates } from "../../src/monitors/rates.ts";

const all = (): boolean => true;

/** Reads the texts, a second apart, and returns the readings of the last. */
function readAll(...texts: readonly string[]): Readings {
  const rates = new Rates();
  return texts.reduce<Readings>(
    (_, text, second) => rates.read(knownQuantities(parseText(text, all)), second * 1000),
    {},
  );
}

function readChosen(family: ChosenFamily, ...texts: readonly string[]): Readings {
  const rates = new Rates();
  return texts.reduce<Readings>(
    (_, text, second) => rates.read(quantitiesOf(family, parseText(text, all)), second * 1000),
    {},
  );
}

const values = (readings: Readings): Record<string, number> =>
  Object.fromEntries(Object.entries(readings).map(([gauge, { value }]) => [gauge, value]));

const nodeText = readFileSync(join(import.meta.dirname, "node-exporter.txt"), "utf8");

describe("node_exporter's text", () => {
  it("gives levels at the first reading", () => {
    const { memory_percent, ...others } = values(readAll(nodeText));
    expect(memory_percent).toBeCloseTo(29.1, 1);
    expect(others).toEqual({ memory: 25_276_502_016 - 17_920_598_016, descriptors: 1553, sockets: 7 });
  });

  it("gives CPU use and network rates from the second reading on", () => {
    const later = nodeText
      .replace('{cpu="0",mode="idle"} 14808.13', '{cpu="0",mode="idle"} 14808.53')
      .replace('{cpu="0",mode="user"} 40592.26', '{cpu="0",mode="user"} 40592.86')
      .replace('{cpu="1",mode="iowait"} 163.06', '{cpu="1",mode="iowait"} 163.56')
      .replace('{cpu="1",mode="steal"} 38.64', '{cpu="1",mode="steal"} 39.14')
      .replace(/(receive_bytes_total\{device="eth0"\}) .*/, "$1 9.249296401e+09")
      .replace(/(receive_bytes_total\{device="ifb0"\}) .*/, "$1 5000");
    const { cpu, network_received, network_sent } = readAll(nodeText, later);
    expect(cpu?.value).toBeCloseTo(((0.6 + 0.5) / 2) * 100, 5);
    expect(cpu?.unit).toBe("%");
    expect(network_received).toEqual({ unit: "bytes/s", value: 1000 });
    expect(network_sent).toEqual({ unit: "bytes/s", value: 0 });
  });

  it("does not report the exporter's own process as the server's", () => {
    expect(nodeText).toContain("process_cpu_seconds_total");
    expect(Object.keys(readAll(nodeText, nodeText))).not.toContain("process_cpu");
  });
});

describe("cAdvisor's text", () => {
  const text = (cpu: number, atMs: number): string =>
    [
      "machine_cpu_cores 4",
      "machine_memory_bytes 1000",
      `container_cpu_usage_seconds_total{cpu="total",id="/"} ${cpu} ${atMs}`,
      `container_cpu_usage_seconds_total{cpu="total",id="/docker/1",name="web"} ${cpu / 2} ${atMs}`,
      `container_memory_working_set_bytes{id="/"} 250 ${atMs}`,
      `container_network_receive_bytes_total{id="/",interface="eth0"} ${cpu * 100} ${atMs}`,
    ].join("\n");

  it("gives the machine's use by its root container, over the time between its own timestamps", () => {
    expect(values(readAll(text(100, 10_000), text(120, 20_000)))).toEqual({
      cpu: 50,
      memory: 250,
      memory_percent: 25,
      network_received: 200,
    });
  });

  it("gives no CPU use of a machine whose number of cores is unknown", () => {
    const lines = (cpu: number): string => text(cpu, cpu * 1000).replace(/^machine_cpu_cores.*\n/, "");
    expect(values(readAll(lines(10), lines(20)))).not.toHaveProperty("cpu");
  });

  it("counts the traffic of network cards, and not again that of bridges, pods and VLANs on them", () => {
    const lines = (bytes: number): string =>
      ["eth0", "ens5", "lo", "cni0", "calic4d", "flannel.1", "eth0.12", "br-a", "vmbr0", "wg0"]
        .map((name) => `container_network_receive_bytes_total{id="/",interface="${name}"} ${bytes}\n`)
        .join("");
    expect(values(readAll(lines(0), lines(50)))).toEqual({ network_received: 100 });
  });

  it("gives the use of one container that is chosen by its labels", () => {
    const web = { gauge: "web", family: "container_cpu_usage_seconds_total", labels: { name: "web" } };
    expect(values(readChosen(web, text(100, 10_000), text(120, 20_000)))).toEqual({ web: 1 });
  });
});

it("an application's own text gives the figures of its process", () => {
  const text = (cpu: number): string =>
    `process_cpu_seconds_total ${cpu}\nprocess_resident_memory_bytes 5e7\nprocess_open_fds 12\n`;
  expect(values(readAll(text(10), text(10.75)))).toEqual({
    process_cpu: 75,
    process_memory: 5e7,
    process_descriptors: 12,
  });
});

describe("a chosen family", () => {
  const family = (name: string): ChosenFamily => ({ gauge: "x", family: name, labels: {} });

  it.each([
    ["# TYPE hits counter\nhits 5", "# TYPE hits counter\nhits 8", "hits", { unit: "/s", value: 3 }],
    ["hits_total 5", "hits_total 8", "hits_total", { unit: "/s", value: 3 }],
    ["sent_bytes_total 5", "sent_bytes_total 8", "sent_bytes_total", { unit: "bytes/s", value: 3 }],
    ["# TYPE t histogram\nt_count 5", "# TYPE t histogram\nt_count 8", "t_count", { unit: "/s", value: 3 }],
    ["cpu_seconds_total 5", "cpu_seconds_total 8", "cpu_seconds_total", { unit: null, value: 3 }],
  ])("is read as a rate if it only grows: %j", (before, after, name, reading) => {
    expect(readChosen(family(name), before, after)).toEqual({ x: reading });
  });

  it.each([
    ["# TYPE depth gauge\ndepth 5\n", "depth", { unit: null, value: 5 }],
    ['depth{q="a"} 5\ndepth{q="b"} 2', "depth", { unit: null, value: 7 }],
    ["heap_bytes 5", "heap_bytes", { unit: "bytes", value: 5 }],
    ["# TYPE cpu_total gauge\ncpu_total 5", "cpu_total", { unit: null, value: 5 }],
  ])("is read as it is if it is a gauge: %j", (text, name, reading) => {
    expect(readChosen(family(name), text)).toEqual({ x: reading });
  });
});
