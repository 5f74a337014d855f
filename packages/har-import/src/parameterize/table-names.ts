import { UniqueNames } from "../unique-names.ts";

const longest = 30;
/** Windows has devices of these names. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** Names that are identifiers and files' names on any system: each once, whatever its case. */
export class TableNames {
  readonly #names = new UniqueNames({ ignoresCase: true });

  take(wished: string): string {
    return this.#names.take(toName(wished));
  }
}

function toName(wished: string): string {
  const words = wished.slice(0, 200).match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words
    .map(
      (word, index) =>
        (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1),
    )
    .join("")
    .replace(/^\d+/, "")
    .slice(0, longest);
  if (joined === "") return "values";
  return devices.test(joined) ? `${joined}Rows` : joined;
}
