import { capName } from "@bearhug/sdk/internal";

import { asMasked, type MaskedText } from "../../masked-text.ts";
import type { Mask } from "../../secret-mask.ts";

/** Names are told apart up to a thousand; a test that makes up more pays for each. */
const mostKept = 2000;

/** The names that requests are grouped by, as they are shown: without secrets, and then cut. Each is worked out once. */
export class RequestNames {
  readonly #mask: Mask;
  readonly #shown = new Map<string, MaskedText>();

  constructor(mask: Mask) {
    this.#mask = mask;
  }

  shown(name: string): MaskedText {
    const known = this.#shown.get(name);
    if (known !== undefined) return known;
    const shown = asMasked(capName(this.#mask.hide(name)));
    if (this.#shown.size < mostKept) this.#shown.set(name, shown);
    return shown;
  }
}
