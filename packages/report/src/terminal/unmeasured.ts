import { sumBy } from "@bearhug/metrics/sum";
import type { TestResult } from "@bearhug/sdk";
import type { UnmeasuredResult } from "@bearhug/sdk/result";
import { formatCounted } from "@bearhug/text/number";

import { renderMore } from "./table-section.ts";
import type { Style } from "./style.ts";

const mostShown = 5;

/** Renders the traffic that the test's own code sent, or tried to send, without bearhug's http. */
export function renderUnmeasured({ unmeasured }: TestResult, style: Style): string[] {
  if (unmeasured.length === 0) return [];
  return [
    style.heading("Unmeasured traffic"),
    ...renderSent(
      unmeasured.filter(({ requests, connections }) => requests + connections > 0),
      style,
    ),
    ...renderRefused(
      unmeasured.filter(({ refused }) => refused > 0),
      style,
    ),
  ];
}

function renderSent(sent: readonly UnmeasuredResult[], style: Style): string[] {
  if (sent.length === 0) return [];
  const requests = sum(sent, "requests");
  // If requests are known, the connections are theirs.
  const bare = sum(
    sent.filter((one) => one.requests === 0),
    "connections",
  );
  const parts = [
    ...(requests > 0 ? [formatCounted(requests, "request")] : []),
    ...(bare > 0 ? [formatCounted(bare, "connection")] : []),
  ];
  const total = `${parts.join(" and ")} bypassed bearhug's http and ${requests + bare === 1 ? "is" : "are"} not in any metric`;
  return renderHosts(total, sent, style, (one) =>
    one.requests > 0 ? formatCounted(one.requests, "request") : formatCounted(one.connections, "connection"),
  );
}

function renderRefused(refused: readonly UnmeasuredResult[], style: Style): string[] {
  if (refused.length === 0) return [];
  const count = sum(refused, "refused");
  const verb = count === 1 ? "was" : "were";
  const hosts = refused.length === 1 ? "this host" : "these hosts";
  const total = `${formatCounted(count, "connection")} ${verb} refused, because the test does not name ${hosts} (allowHosts, allowUnmeasured)`;
  return renderHosts(total, refused, style, (one) => formatCounted(one.refused, "connection"));
}

function renderHosts(
  total: string,
  hosts: readonly UnmeasuredResult[],
  style: Style,
  countOf: (host: UnmeasuredResult) => string,
): string[] {
  return [
    ...style.paragraph(total, { lead: `${style.symbols.dot} ` }),
    ...hosts.slice(0, mostShown).flatMap((one) => {
      const stage = one.stage === "load" ? "" : ` in ${one.stage}`;
      const { source } = one;
      const place = source === null ? "" : ` at ${style.text(source.file)}:${source.line}:${source.column}`;
      return style.paragraph(`${countOf(one)} to ${style.text(one.host)}${stage}${place}`, {
        indent: detailIndent,
        paint: style.faint,
      });
    }),
    ...renderMore(hosts.length - mostShown, style),
  ];
}

const detailIndent = 4;

function sum(hosts: readonly UnmeasuredResult[], count: "requests" | "connections" | "refused"): number {
  return sumBy(hosts, (one) => one[count]);
}
