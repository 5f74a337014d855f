import type { TestResult } from "@bearhug/sdk";
import type { BodyExcerpt, ExemplarMessage, FailedExchange } from "@bearhug/sdk/result";
import { formatBytes } from "@bearhug/text/bytes";

import { curlCommand } from "../curl-command.ts";
import { describeExchange, examplesOf } from "../exchange-words.ts";
import { fittingFacts } from "./fitting-facts.ts";
import type { ExampleFacts, SelectedFacts } from "./page-facts.ts";

/** The page has less than 2 MB. */
const mostCharacters = 250_000;

/** The failed exchanges that stand for others, of the most frequent error first. */
export function gatherExamples(result: TestResult): SelectedFacts<ExampleFacts> {
  const examples = result.errors
    .toSorted((left, right) => right.count - left.count)
    .flatMap((error) => examplesOf(error, result))
    .map(describeExample);
  return fittingFacts(examples, mostCharacters, "Examples of each error. Secrets are masked.");
}

function describeExample(exchange: FailedExchange): ExampleFacts {
  const { code, name, message, method, url, protocol, status, request, response } = exchange;
  const { command, notes } = curlCommand(exchange);
  const answer = response === null ? [] : [writeMessage(`${protocol} ${status}`, response)];
  return {
    title: `${code}: ${name}`,
    summary: describeExchange(exchange),
    message,
    request: writeMessage(`${method} ${url}`, request),
    response: answer.join(""),
    command,
    notes,
  };
}

/** A message as on the wire, as far as it is known. */
function writeMessage(first: string, { headers, body }: ExemplarMessage): string {
  const lines = [first, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return [...lines, ...(body === null ? [] : ["", writeBody(body)])].join("\n");
}

function writeBody({ text, isWhole, bytes }: BodyExcerpt): string {
  const size = bytes === null ? "of unknown size" : `of ${formatBytes(bytes)}`;
  if (text === null) return `(body ${size}, not shown)`;
  return isWhole ? text : `${text}\n(the beginning of a body ${size})`;
}
