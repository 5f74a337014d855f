import type { ListedSeat } from "../../cluster/coordinate/roster.ts";

/** Prints a line for each agent that joins, disappears, returns or ends. */
export class Standings {
  readonly #agents: number;
  readonly #print: (text: string) => void;
  #seats: readonly ListedSeat[] = [];

  constructor(agents: number, print: (text: string) => void) {
    this.#agents = agents;
    this.#print = print;
  }

  get names(): (string | null)[] {
    return Array.from({ length: this.#agents }, (_, shard) => this.#seats[shard]?.name ?? null);
  }

  /** The names of agents that are currently silent or lost. */
  get missing(): string[] {
    return this.#seats
      .filter(({ standing }) => standing === "silent" || standing === "lost")
      .map(({ name, shard }) => name ?? `shard ${shard + 1}`);
  }

  get hasLost(): boolean {
    return this.#seats.some(({ standing }) => standing === "lost");
  }

  update(agents: readonly ListedSeat[]): void {
    for (const agent of agents) {
      const before = this.#seats[agent.shard]?.standing ?? "awaited";
      if (agent.standing !== before) this.#reportChange(agent, before);
    }
    this.#seats = agents;
  }

  #reportChange({ name, shard, standing }: ListedSeat, before: ListedSeat["standing"]): void {
    const who = name === null ? `shard ${shard + 1}` : `${name} (shard ${shard + 1} of ${this.#agents})`;
    if (standing === "silent") this.#print(`${who}: is missing`);
    else if (standing === "lost") this.#print(`${who}: ${name === null ? "did not join" : "is lost"}`);
    else if (before === "silent" || before === "lost") this.#print(`${who}: is back`);
    else if (standing === "joined") this.#print(`${who}: joined`);
    else if (standing === "ended") this.#print(`${who}: ended`);
  }
}
