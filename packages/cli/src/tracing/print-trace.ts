import { STATUS_CODES } from "node:http";

import type { TracedExchange, TracedMessage, Tracer } from "@bearhug/plan/clients/tracer";
import type { Style } from "@bearhug/report/terminal/style";
import { phaseNames, requestPhases } from "@bearhug/sdk/internal";
import { formatBytes } from "@bearhug/text/bytes";
import { cut } from "@bearhug/text/display-width";
import { formatDuration } from "@bearhug/text/duration";
import { headerValue } from "@bearhug/text/header-value";
import { splitLog } from "@bearhug/text/log-lines";
import type { Mask } from "@bearhug/text/secret-mask";

import { shownBody, shownHeaders, shownValue } from "./masked-message.ts";

const maxBodyLines = 20;

/** Returns a tracer that prints each step as it happens, indented below its scenario, page and groups. */
export function createTracePrinter(style: Style, print: (line: string) => void): Tracer {
  let scenario = "";
  const begin = (now: string): void => {
    if (now !== scenario) print(`${scenario === "" ? "" : "\n"}${style.strong(style.text(now))}`);
    scenario = now;
  };
  const at = (tags: TracedExchange["tags"], line: string): void => {
    begin(tags["scenario"] ?? "");
    print("  ".repeat(depthOf(tags)) + line);
  };
  const { symbols } = style;
  return {
    exchange: (exchange, mask) => {
      for (const line of exchangeLines(exchange, depthOf(exchange.tags), mask, style))
        at(exchange.tags, line);
    },
    extracted: ({ extractor, value, tags }, mask) => {
      const shown = style.text(shownValue(extractor, value, mask));
      at(tags, `${style.faint("extracted")} ${style.text(mask.hide(extractor))} = ${shown}`);
    },
    enter: (kind, name, tags, mask) => {
      const around = { ...tags, [kind]: outerOf(kind, tags) };
      at(around, `${style.faint(kind)} ${style.strong(style.text(mask.hide(name)))}`);
      return (durationMs) =>
        at(around, style.faint(`${kind} ${style.text(mask.hide(name))} took ${formatDuration(durationMs)}`));
    },
    checked: ({ name, hasPassed, tags }, mask) => {
      const sign = hasPassed ? style.good(symbols.passed) : style.bad(symbols.failed);
      at(tags, `${sign} ${style.text(mask.hide(name))}`);
    },
    log: ({ level, text, from }) => {
      begin(from.replace(/, VU \d+$/, ""));
      const [first, ...below] = splitLog(text);
      print(`  ${style.faint(level === "info" ? "log" : level)} ${style.text(first)}`);
      for (const line of below) print(`    ${style.text(line)}`.trimEnd());
    },
  };
}

/** Returns the nesting depth; names of nested groups are joined by `::`. */
function depthOf({ page, group }: TracedExchange["tags"]): number {
  return 1 + (page ? 1 : 0) + (group ? group.split("::").length : 0);
}

/** Returns the tag that surrounds the page or group that begins. */
function outerOf(kind: "page" | "group", { group = "" }: TracedExchange["tags"]): string {
  return kind === "page" ? "" : group.split("::").slice(0, -1).join("::");
}

/** Renders an exchange: request line and outcome, both messages, timings. */
function exchangeLines(exchange: TracedExchange, depth: number, mask: Mask, style: Style): string[] {
  const { method, url, request, response, error } = exchange;
  const width = style.width - 2 * depth;
  const address = style.text(mask.excerptWithEllipsis(url, 2000));
  return [
    `${style.strong(method)} ${address}  ${outcomeOf(exchange, style)}`,
    ...(error?.message ? [`  ${style.bad(style.text(mask.hide(error.message)))}`] : []),
    ...messageLines(request, ">", width, mask, style),
    ...(response === null ? [] : messageLines(response, "<", width, mask, style)),
    `  ${style.faint(timingsOf(exchange, style))}`,
  ];
}

function outcomeOf({ status, protocol, error, timings }: TracedExchange, style: Style): string {
  const time = style.faint(formatDuration(timings.responseTime));
  if (status === 0) return `${style.bad(error?.code ?? "no response")}  ${time}`;
  const shown = `${status} ${STATUS_CODES[status] ?? ""}`.trimEnd();
  return `${error === null ? style.good(shown) : style.bad(shown)} ${style.faint(protocol)}  ${time}`;
}

function messageLines(
  message: TracedMessage,
  sign: ">" | "<",
  width: number,
  mask: Mask,
  style: Style,
): string[] {
  const line = (text: string): string =>
    `  ${style.faint(sign)} ${cut(style.text(text), width - 4, style.symbols.ellipsis)}`.trimEnd();
  const headerLines = shownHeaders(message, mask).map((pair) => line(pair.join(": ")));
  const shown = bodyLines(message, mask).map(line);
  return [...headerLines, ...(shown.length > 0 ? [line("")] : []), ...shown];
}

/** Returns the beginning of a text body, or a description of any other body. */
function bodyLines(message: TracedMessage, mask: Mask): string[] {
  const { body, bodyBytes, headers } = message;
  if (bodyBytes === 0 && (body === null || body.length === 0)) return [];
  const size = bodyBytes === null ? "a stream" : formatBytes(bodyBytes);
  if (body === null) return [`(${size}, not kept)`];
  const type = headerValue(headers, "content-type") ?? "no content-type";
  const excerpt = shownBody(message, mask);
  if (excerpt === null) return [`(${size} of ${type})`];
  const lines = excerpt.text.trimEnd().split(/\r?\n/);
  const isCut = excerpt.isCut || lines.length > maxBodyLines;
  return [
    ...lines.slice(0, maxBodyLines),
    ...(isCut ? [`(the beginning of ${formatBytes(body.length)})`] : []),
  ];
}

function timingsOf({ timings, bytesSent, bytesReceived }: TracedExchange, { symbols }: Style): string {
  const shown = phaseNames.flatMap((phase) => {
    if (phase === "blocked" || timings[phase] === 0) return [];
    return [`${requestPhases[phase].short} ${formatDuration(timings[phase])}`];
  });
  return [...shown, `${formatBytes(bytesSent)} sent`, `${formatBytes(bytesReceived)} received`].join(
    ` ${symbols.dot} `,
  );
}
