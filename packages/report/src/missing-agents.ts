import type { IntervalSnapshot } from "@bearhug/sdk";

const mostNamed = 3;

/** Names the agents that are missing, without which the figures are too low; null if none is missing. */
export function describeMissing({ missingAgents = [] }: IntervalSnapshot): string | null {
  if (missingAgents.length === 0) return null;
  const named = missingAgents.slice(0, mostNamed);
  const more = missingAgents.length - named.length;
  const list = new Intl.ListFormat("en").format(more > 0 ? [...named, `${more} more`] : named);
  return missingAgents.length === 1 ? `agent ${list} is missing` : `agents ${list} are missing`;
}
