import type { TestResult } from "@bearhug/sdk";
import type { FailedExchange } from "@bearhug/sdk/internal";

import { curlCommand } from "../curl-command.ts";
import { describeExchange, firstExamples } from "../exchange-words.ts";
import { code, codeBlock, words } from "./escape-markdown.ts";
import { item, section } from "./pieces.ts";

const mostExamples = 10;

/** The first failed exchange of each error, with a command that sends it again. */
export function exampleSection(result: TestResult): string[] {
  return section(
    "Failing exchanges",
    firstExamples(result, mostExamples).map(
      (exchange, index) => (index === 0 ? "" : "\n") + example(exchange),
    ),
  );
}

function example(exchange: FailedExchange): string {
  const { command, notes } = curlCommand(exchange);
  const body = exchange.response?.body?.text ?? null;
  return [
    `${code(exchange.code)} in ${code(exchange.name)}: ${words(describeExchange(exchange))}\n`,
    ...(body === null ? [] : [`\n${codeBlock(body.trim())}`]),
    `\n${codeBlock(command)}`,
    ...(notes.length === 0 ? [] : ["\n", ...notes.map((note) => item(words(note)))]),
  ].join("");
}
