import { stripeNumber, stripeSize } from "../pacing/stripe.ts";
import type { DrivenVu, IterationStart, ScenarioShare } from "./executor.ts";

/** The VUs of an open model: made when they are needed, the one used last is used next. */
export class VuPool {
  readonly #share: ScenarioShare;
  readonly #most: number;
  readonly #idle: DrivenVu[] = [];
  readonly #running = new Set<Promise<void>>();
  #created = 0;

  /** Of `maxVUs` over all workers, this pool has its stripe's share. */
  constructor(share: ScenarioShare, preAllocatedVUs: number, maxVUs: number) {
    this.#share = share;
    this.#most = stripeSize(maxVUs, share.stripe);
    while (this.#created < stripeSize(preAllocatedVUs, share.stripe)) this.#idle.push(this.#create());
  }

  /** Starts an iteration on a free VU; false when all are busy. */
  start(iteration: IterationStart): boolean {
    const vu = this.#idle.pop() ?? (this.#created < this.#most ? this.#create() : undefined);
    if (vu === undefined) return false;
    const running = vu.iterate(iteration).then(() => {
      this.#running.delete(running);
      this.#idle.push(vu);
    });
    this.#running.add(running);
    return true;
  }

  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  #create(): DrivenVu {
    return this.#share.createVu(stripeNumber(this.#created++, this.#share.stripe));
  }
}
