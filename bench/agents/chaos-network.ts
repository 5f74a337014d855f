import { execFileSync } from "node:child_process";

/** The address of the loaded server, the same for all agents. */
export const targetHost = "10.200.0.1";

/**
 * Network namespaces of one run: a hub with the coordinator and the loaded server, and one for each agent, with a link to the
 * coordinator and another to the server. The first can be cut and slowed. Needs root and iproute2.
 */
export class ChaosNetwork {
  readonly #name: string;
  readonly #agents: number;

  constructor(name: string, agents: number) {
    this.#name = name;
    this.#agents = agents;
    batch([`netns add ${this.hub}`, ...this.#each((agent) => [`netns add ${this.agent(agent)}`])]);
    batch(
      this.#each((agent) => [
        `link add c${agent} netns ${this.hub} type veth peer name control netns ${this.agent(agent)}`,
        `link add l${agent} netns ${this.hub} type veth peer name load netns ${this.agent(agent)}`,
      ]),
    );
    batch(
      [
        `addr add ${targetHost}/32 dev lo`,
        "link set lo up",
        ...this.#each((agent) => [
          `addr add 10.1.${agent}.1/24 dev c${agent}`,
          `addr add 10.2.${agent}.1/24 dev l${agent}`,
          `link set c${agent} up`,
          `link set l${agent} up`,
        ]),
      ],
      this.hub,
    );
    for (let agent = 0; agent < agents; agent++)
      batch(
        [
          "link set lo up",
          `addr add 10.1.${agent}.2/24 dev control`,
          `addr add 10.2.${agent}.2/24 dev load`,
          "link set control up",
          "link set load up",
          `route add ${targetHost}/32 via 10.2.${agent}.1`,
        ],
        this.agent(agent),
      );
  }

  get hub(): string {
    return `${this.#name}-hub`;
  }

  agent(agent: number): string {
    return `${this.#name}-${agent}`;
  }

  /** The coordinator's address for this agent. */
  coordinatorFor(agent: number): string {
    return `10.1.${agent}.1`;
  }

  /** Drops all packets. With `isSilent`, the interface stays up: its bucket is smaller than any packet. */
  cut(agent: number, isSilent: boolean): void {
    if (isSilent) this.#limit(agent, "tbf rate 1kbit burst 10 latency 1ms");
    else batch([`link set c${agent} down`], this.hub);
  }

  slow(agent: number, kilobits: number): void {
    this.#limit(agent, `tbf rate ${kilobits}kbit burst 4kb latency 3s`);
  }

  /** Restores the link. */
  mend(agent: number): void {
    batch([`link set c${agent} up`], this.hub);
    for (const { namespace, device } of this.#ends(agent)) {
      try {
        execFileSync("tc", ["-n", namespace, "qdisc", "del", "dev", device, "root"], { stdio: "ignore" });
      } catch {
        // The link was not limited.
      }
    }
  }

  close(): void {
    batch([...this.#each((agent) => [`netns del ${this.agent(agent)}`]), `netns del ${this.hub}`]);
  }

  #limit(agent: number, discipline: string): void {
    for (const { namespace, device } of this.#ends(agent))
      execFileSync("tc", [...`-n ${namespace} qdisc replace dev ${device} root ${discipline}`.split(" ")]);
  }

  #ends(agent: number): { readonly namespace: string; readonly device: string }[] {
    return [
      { namespace: this.hub, device: `c${agent}` },
      { namespace: this.agent(agent), device: "control" },
    ];
  }

  #each(commands: (agent: number) => readonly string[]): string[] {
    return Array.from({ length: this.#agents }, (_, agent) => commands(agent)).flat();
  }
}

/** Runs commands of `ip` in one process. */
function batch(commands: readonly string[], namespace: string | null = null): void {
  const inside = namespace === null ? [] : ["-n", namespace];
  execFileSync("ip", [...inside, "-batch", "-"], { input: `${commands.join("\n")}\n` });
}
