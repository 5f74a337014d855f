import type { TestResult } from "@bearhug/sdk";
import type { BodyExcerpt, ExemplarMessage, FailedExchange } from "@bearhug/sdk/result";
import { formatBytes } from "@bearhug/text/bytes";

import { byCount } from "../model/errors.ts";
import { curlCommand } from "../curl-command.ts";
import { describeExchange, examplesOf } from "../describe-exchange.ts";
import { fittingItems } from "./fit-items.ts";
import type { ExampleData, Selection } from "./page-data.ts";

/** The room for examples in a page, which stays below 2 MB. */
const mostCharacters = 250_000;

/** Gathers the example exchanges, those of the most frequent error first. */
export function gatherExamples(result: TestResult): Selection<ExampleData> {
  const examples = result.errors
    .toSorted(byCount)
    .flatMap((error) => examplesOf(error, result))
    .map(describeExample);
  return fittingItems(examples, mostCharacters, "Examples of each error. Secrets are masked.");
}

function describeExample(exchange: FailedExchange): ExampleData {
  const { code, name, message, method, url, protocol, status, request, response } = exchange;
  const { command, notes } = curlCommand(exchange);
  const responseText = response === null ? [] : [writeMessage(`${protocol} ${status}`, response)];
  return {
    title: `${code}: ${name}`,
    summary: describeExchange(exchange),
    message,
    request: writeMessage(`${method} ${url}`, request),
    response: responseText.join(""),
    command,
    notes,
  };
}

/** Writes a message as on the wire, as far as it was recorded. */
function writeMessage(first: string, { headers, body }: ExemplarMessage): string {
  const lines = [first, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return [...lines, ...(body === null ? [] : ["", writeBody(body)])].join("\n");
}

function writeBody({ text, isWhole, bytes }: BodyExcerpt): string {
  const size = bytes === null ? "of unknown size" : `of ${formatBytes(bytes)}`;
  if (text === null) return `(body ${size}, not shown)`;
  return isWhole ? text : `${text}\n(the beginning of a body ${size})`;
}
