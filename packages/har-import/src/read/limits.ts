/** Beyond these a capture is an attack, or a mistake. What exceeds one is a finding; nothing of it is held. */

/** Of an element, in bytes. A response's body counts where it is kept. */
export const maxElementBytes: number = 32 * 2 ** 20;
/** Brackets within brackets, of an element. */
export const maxNesting = 64;
/** Of each list, so that what is held of a hostile file is bounded. */
export const maxElements = 200_000;
