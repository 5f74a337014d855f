/** What `vuState` made for one virtual user: once, or once for each variant, as none of them sees the cookies of another. */
export class VuStates {
  readonly #made = new Map<number | null, unknown>();
  #variant: number | null = null;

  /** An iteration of this variant begins; null without variants. Returns true if its state is made. */
  turnTo(variant: number | null): boolean {
    this.#variant = variant;
    return this.#made.has(variant);
  }

  /** Keeps the state of the iteration that begins. */
  keep(state: unknown): void {
    this.#made.set(this.#variant, state);
  }

  /** Of the running iteration. */
  get state(): unknown {
    return this.#made.get(this.#variant);
  }
}
