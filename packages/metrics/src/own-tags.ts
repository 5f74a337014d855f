import { capName } from "@bearhug/text/cap-text";

import { type Tags, isBuiltInTag } from "./tags.ts";

/** The most different names of a test's own tags in one worker. */
const maxNames = 100;
/** The most own tags on one sample. */
const maxTags = 32;
const longestName = 200;

/**
 * Stands for a test's own tags that were left out, in a list of tags whose values are no
 * longer distinguished.
 */
export const omittedTags = "(other)";

/** Called for each tag that was left out; `tag` is its name, or `omittedTags` if there are too many names. */
type OnLeftOut = (tag: string, name: string, value: string) => void;

/** A test's own tags within limits: whatever a test puts on its samples, memory and the result stay small. */
export class OwnTags {
  readonly #mask: ((text: string) => string) | undefined;
  readonly #names = new Set<string>();
  readonly #onLeftOut: OnLeftOut;

  /** `mask` replaces secrets in texts that are too long, before they are cut. */
  constructor(onLeftOut: OnLeftOut, mask?: (text: string) => string) {
    this.#onLeftOut = onLeftOut;
    this.#mask = mask;
  }

  /** Returns a name or a tag's value, cut if it is too long. */
  cap(text: string): string {
    return capName(text, this.#mask);
  }

  /**
   * Returns the tags to keep on samples that already have those `around`: long values are cut, tags beyond
   * the limits left out. Returns `tags` itself if there is nothing to change.
   * @throws {TypeError} for a name that is too long, or contains a secret
   */
  admit(tags: Tags, around: Tags): Tags {
    const room = maxTags - Object.keys(around).filter((name) => !isBuiltInTag(name)).length;
    const kept: Record<string, string> = {};
    let added = 0;
    let isChanged = false;
    for (const [name, value] of Object.entries(tags)) {
      const isNew = !Object.hasOwn(around, name);
      if (!this.#admitsName(name) || (isNew && added >= room)) {
        this.#onLeftOut(this.#names.has(name) ? name : omittedTags, name, value);
        isChanged = true;
        continue;
      }
      if (isNew) added++;
      kept[name] = this.cap(value);
      isChanged ||= kept[name] !== value;
    }
    return isChanged ? kept : tags;
  }

  #admitsName(name: string): boolean {
    if (this.#names.has(name)) return true;
    if (name.length > longestName) {
      throw new TypeError(
        `tag "${this.cap(name)}": its name has ${name.length} characters; at most ${longestName} are allowed.`,
      );
    }
    const shown = this.#mask?.(name) ?? name;
    if (shown !== name)
      throw new TypeError(
        `tag "${shown}": its name holds a secret, which reports would show. Choose another.`,
      );
    if (this.#names.size >= maxNames) return false;
    this.#names.add(name);
    return true;
  }
}
