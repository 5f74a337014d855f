import type { TracedExchange, TracedMessage, Tracer } from "@bearhug/plan/clients/tracer";
import type { Mask } from "@bearhug/text/secret-mask";

import type { Message, Step, StepCounts, StepPlace } from "../documents/documents.ts";
import { shownBody, shownHeaders, shownValue } from "./masked-message.ts";

/** Returns a tracer that collects each step, for `try --json`. */
export function createStepCollector(steps: Step[]): Tracer {
  return {
    exchange: (exchange, mask) => {
      const { name, method, url, protocol, status, error, timings, request, response } = exchange;
      steps.push({
        kind: "request",
        ...placeOf(exchange.tags),
        name: mask.hide(name),
        method,
        url: mask.excerptWithEllipsis(url, maxUrlCharacters),
        protocol,
        status,
        error:
          error === null
            ? null
            : { code: error.code, message: error.message === null ? null : mask.hide(error.message) },
        responseTimeMs: timings.responseTime,
        request: shownMessage(request, mask),
        response: response === null ? null : shownMessage(response, mask),
      });
    },
    extracted: ({ extractor, value, tags }, mask) => {
      const described = mask.hide(extractor);
      steps.push({
        kind: "extraction",
        ...placeOf(tags),
        extractor: described,
        value: shownValue(described, value, mask),
      });
    },
    enter: () => () => undefined,
    checked: ({ name, hasPassed, tags }, mask) => {
      steps.push({ kind: "check", ...placeOf(tags), name: mask.hide(name), passed: hasPassed });
    },
    log: ({ level, text, from }) => {
      steps.push({ kind: "log", level, text, from });
    },
  };
}

const maxUrlCharacters = 2000;

/** Converts tags, which are empty outside of pages and groups. */
function placeOf({ scenario = "", page = "", group = "" }: TracedExchange["tags"]): StepPlace {
  return { scenario, page: page === "" ? null : page, group: group === "" ? null : group };
}

function shownMessage(message: TracedMessage, mask: Mask): Message {
  const body = shownBody(message, mask);
  return {
    headers: shownHeaders(message, mask),
    bodyBytes: message.bodyBytes,
    body: body?.text ?? null,
    isCut: body?.isCut ?? false,
  };
}

/** Returns a tracer that counts each step and forwards it. */
export function countSteps(tracer: Tracer): { readonly tracer: Tracer; readonly counts: StepCounts } {
  const counts = { requests: 0, failedRequests: 0, checks: 0, failedChecks: 0 };
  return {
    counts,
    tracer: {
      ...tracer,
      exchange: (exchange, mask) => {
        counts.requests++;
        if (exchange.error !== null) counts.failedRequests++;
        tracer.exchange(exchange, mask);
      },
      checked: (check, mask) => {
        counts.checks++;
        if (!check.hasPassed) counts.failedChecks++;
        tracer.checked(check, mask);
      },
    },
  };
}
