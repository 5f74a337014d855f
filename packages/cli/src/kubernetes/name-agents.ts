/** Names agents as the subject of a sentence: `Agent 3`, `Agents 1–3 and 7`. */
export function nameAgents(shards: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const shard of shards.toSorted((left, right) => left - right)) {
    const range = ranges.at(-1);
    if (range?.last === shard - 1) range.last = shard;
    else ranges.push({ first: shard, last: shard });
  }
  const names = ranges.map(({ first, last }) => (first === last ? String(first) : `${first}–${last}`));
  const last = names.pop() ?? "";
  const list = names.length === 0 ? last : `${names.join(", ")} and ${last}`;
  return `${shards.length === 1 ? "Agent" : "Agents"} ${list}`;
}

/** Groups agents with the same fact. */
export function groupAgents<Fact extends string>(
  agents: readonly { readonly shard: number; readonly fact: Fact }[],
): { readonly shards: readonly number[]; readonly fact: Fact }[] {
  const byFact = Map.groupBy(agents, ({ fact }) => fact);
  return Array.from(byFact, ([fact, all]) => ({ fact, shards: all.map(({ shard }) => shard) }));
}
