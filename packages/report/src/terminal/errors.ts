import type { TestResult } from "@bearhug/sdk";

import { firstExamples } from "../exchange-words.ts";
import { errorTable } from "../model/errors.ts";
import { exampleIndent, renderExample } from "./example.ts";
import { renderExchange } from "./exchange.ts";
import type { Style } from "./style.ts";
import { tableSection } from "./table-section.ts";

const mostShown = 10;
/** Errors with an exchange that shows one of them: a curl line is long. */
const mostExchanges = 3;

/** Failures and exceptions, the most frequent first, each with an example. */
export function renderErrors(result: TestResult, style: Style): string[] {
  const exchanges = firstExamples(result, mostExchanges);
  const sorted = result.errors.toSorted((left, right) => right.count - left.count);
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
