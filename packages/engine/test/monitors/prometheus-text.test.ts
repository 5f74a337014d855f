import { parseText, readLabels } from "@bearhug/plan/monitors/prometheus/parse-text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const all = (): boolean => true;

/** Texts of the characters that have a meaning in the format. */
const odd = fc.string({
  unit: fc.constantFrom("a", "1", "_", '"', "\\", "\n", "{", "}", ",", "=", "# ", "é", "\u2028"),
});

describe("the text of Prometheus", () => {
  it("has samples with labels, timestamps and types", () => {
    const { samples, types } = parseText(
      [
        "# HELP http_requests_total Requests.",
        "# TYPE http_requests_total counter",
        'http_requests_total{method="post",code="200"} 1027 1395066363000',
        "",
        "node_load1 0.21",
        "node_filefd_maximum 2.46617e+06",
        'with_spaces { a = "b" } 3',
        'openmetrics_total{a="b"} 4 # {trace_id="x"} 0.5',
      ].join("\n"),
      all,
    );
    expect(types.get("http_requests_total")).toBe("counter");
    expect(samples).toEqual([
      {
        name: "http_requests_total",
        labels: { method: "post", code: "200" },
        value: 1027,
        timestampMs: 1395066363000,
      },
      { name: "node_load1", labels: {}, value: 0.21, timestampMs: null },
      { name: "node_filefd_maximum", labels: {}, value: 2466170, timestampMs: null },
      { name: "with_spaces", labels: { a: "b" }, value: 3, timestampMs: null },
      { name: "openmetrics_total", labels: { a: "b" }, value: 4, timestampMs: null },
    ]);
  });

  it("is read only for the wanted families", () => {
    const { samples } = parseText('a 1\nb 2\na{x="y"} 3\n', (name) => name === "a");
    expect(samples.map(({ value }) => value)).toEqual([1, 3]);
  });

  it("gives each series once: exporters that combine others may repeat it", () => {
    const { samples } = parseText('a 1\na{x="1",y="2"} 5\na{y="2",x="1"} 5\na 1\n', all);
    expect(samples.map(({ value }) => value)).toEqual([1, 5]);
  });

  it("has timestamps in seconds in OpenMetrics", () => {
    expect(parseText("a_total 1 1395066363.5\n# EOF\n", all, "openmetrics").samples).toEqual([
      { name: "a_total", labels: {}, value: 1, timestampMs: 1_395_066_363_500 },
    ]);
  });

  it("is read without values that are not finite and lines that cannot be parsed", () => {
    const { samples, isPrometheus } = parseText("a NaN\nb +Inf\nc -Inf\nd x\ne\nf{ 1\ng 7\n", all);
    expect(samples.map(({ name }) => name)).toEqual(["g"]);
    expect(isPrometheus).toBe(true);
  });

  it("is distinguished from other texts", () => {
    expect(parseText("<!doctype html>\n<p>Sign in</p>", all).isPrometheus).toBe(false);
    expect(parseText('{"error": "no"}', all).isPrometheus).toBe(false);
    expect(parseText("other_family 1\n", () => false).isPrometheus).toBe(true);
  });

  it("gives back any labels as they were written", () => {
    const name = fc.constantFrom("a", "le", "code", "_under", "x1");
    fc.assert(
      fc.property(fc.dictionary(name, odd), fc.integer(), (labels, value) => {
        const escape = (text: string): string =>
          text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
        const written = Object.entries(labels).map(([label, text]) => `${label}="${escape(text)}"`);
        expect(readLabels(written.join(","))).toEqual({ ...labels });
        const [sample] = parseText(`x{${written.join(",")}} ${value}`, all).samples;
        expect(sample?.labels).toEqual({ ...labels });
        expect(sample?.value).toBe(value);
      }),
    );
  });

  it("never throws", () => {
    fc.assert(
      fc.property(odd, (text) => {
        expect(parseText(text, all).samples.every(({ value }) => Number.isFinite(value))).toBe(true);
      }),
    );
  });
});
