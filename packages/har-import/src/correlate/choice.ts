import type { CookieSource, Source } from "./source.ts";
import type { Use } from "./use.ts";

/** What becomes of the values that requests send. */
export interface Choices {
  readonly extracted: readonly { readonly source: Source; readonly uses: readonly Use[] }[];
  readonly fromCookies: readonly {
    readonly cookie: CookieSource;
    readonly isDecoded: boolean;
    readonly use: Use;
  }[];
  /** For a person to judge. */
  readonly possible: readonly { readonly source: Source; readonly use: Use }[];
}
