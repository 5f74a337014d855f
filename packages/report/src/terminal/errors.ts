import type { TestResult } from "@bearhug/sdk";
import type { FailedExchange } from "@bearhug/sdk/result";
import { cut } from "@bearhug/text/display-width";

import { describeExchange, firstExamples } from "../describe-exchange.ts";
import { byCount, errorTable } from "../model/errors.ts";
import { exampleIndent, renderExample } from "./example.ts";
import type { Style } from "./style.ts";
import { tableSection } from "./table-section.ts";
import { curlCommand } from "../curl-command.ts";

const mostShown = 10;
/** Errors that get an example exchange. They are few, because a curl command is long. */
const mostExchanges = 3;

/** Renders failures and exceptions, the most frequent first, each with an example. */
export function renderErrors(result: TestResult, style: Style): string[] {
  const exchanges = firstExamples(result, mostExchanges);
  const sorted = result.errors.toSorted(byCount);
  return tableSection(errorTable(result), style, {
    most: mostShown,
    below: ({ details }, at) => [
      ...renderExample(details, style),
      ...exchanges
        .filter(({ code, name }) => code === sorted[at]?.code && name === sorted[at].name)
        .flatMap((exchange) => renderExchange(exchange, exampleIndent, style)),
    ],
  });
}

const mostBodyColumns = 200;

/**
 * Renders a failed exchange below its error: how it ended, the beginning of the response body, and how to
 * send it again.
 */
function renderExchange(exchange: FailedExchange, indent: number, style: Style): string[] {
  const { command, notes } = curlCommand(exchange);
  const body = exchange.response?.body?.text?.trim() ?? "";
  const paragraph = (text: string, lead = ""): string[] =>
    style.paragraph(text, { indent, lead, paint: style.faint });
  return [
    ...paragraph(style.text(describeExchange(exchange)), "example: "),
    ...(body === ""
      ? []
      : paragraph(cut(style.text(body), mostBodyColumns, style.symbols.ellipsis), "body: ")),
    // Not wrapped, so that it can be copied in one piece.
    `${" ".repeat(indent)}${style.text(command)}`,
    ...notes.flatMap((note) => paragraph(style.text(note))),
  ];
}
