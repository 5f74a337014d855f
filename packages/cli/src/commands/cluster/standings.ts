import type { ListedSeat } from "../../cluster/coordinate/roster.ts";

/** Tells in a line what changes about the agents. */
export class Standings {
  readonly #agents: number;
  readonly #tell: (text: string) => void;
  #before: readonly ListedSeat[] = [];

  constructor(agents: number, tell: (text: string) => void) {
    this.#agents = agents;
    this.#tell = tell;
  }

  get names(): (string | null)[] {
    return Array.from({ length: this.#agents }, (_, shard) => this.#before[shard]?.name ?? null);
  }

  /** The agents that are silent or lost now. */
  get missing(): string[] {
    return this.#before
      .filter(({ standing }) => standing === "silent" || standing === "lost")
      .map(({ name, shard }) => name ?? `shard ${shard + 1}`);
  }

  get hasLost(): boolean {
    return this.#before.some(({ standing }) => standing === "lost");
  }

  tell(agents: readonly ListedSeat[]): void {
    for (const agent of agents) {
      const before = this.#before[agent.shard]?.standing ?? "awaited";
      if (agent.standing !== before) this.#tellOne(agent, before);
    }
    this.#before = agents;
  }

  #tellOne({ name, shard, standing }: ListedSeat, before: ListedSeat["standing"]): void {
    const who = name === null ? `shard ${shard + 1}` : `${name} (shard ${shard + 1} of ${this.#agents})`;
    if (standing === "silent") this.#tell(`${who}: is missing`);
    else if (standing === "lost") this.#tell(`${who}: ${name === null ? "did not join" : "is lost"}`);
    else if (before === "silent" || before === "lost") this.#tell(`${who}: is back`);
    else if (standing === "joined") this.#tell(`${who}: joined`);
    else if (standing === "ended") this.#tell(`${who}: ended`);
  }
}
