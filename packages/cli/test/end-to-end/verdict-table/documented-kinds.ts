import { readFileSync } from "node:fs";

/** The documentation of one kind. */
export interface DocumentedKind {
  readonly exitCode: number;
  /** Matches the verdict; `…` in the documentation stands for any text. */
  readonly says: RegExp;
}

const page = new URL("../../../../../docs/exit-codes.md", import.meta.url);

/**
 * Returns the items of the lists below a heading of docs/exit-codes.md, by their kind. The paragraph above a
 * list has the exit code of its items, and may have the beginning of their verdicts:
 *
 *     Every request fails (99). The verdict begins with `no request succeeded:`
 *
 *     - Nothing listens: `CONNECTION_REFUSED at …`
 *     - One kind / Another kind (109): `…`
 */
export function documentedKinds(heading: string): ReadonlyMap<string, DocumentedKind> {
  const [, after = ""] = readFileSync(page, "utf8").split(`### ${heading}\n`);
  const [section = ""] = after.split(/\n#{2,3} /, 1);
  const kinds = new Map<string, DocumentedKind>();
  let exitCode = "";
  let beginning = "";
  for (const block of section.trim().split("\n\n")) {
    if (!block.startsWith("- ")) {
      exitCode = /\((\d+)[,)]/.exec(block)?.[1] ?? "";
      beginning = /The verdict begins with `([^`]+)`/.exec(block)?.[1] ?? "";
      continue;
    }
    for (const item of block.replaceAll(/\n +/g, " ").split("\n")) {
      const [, names, ownCode, says] = /^- (.+?)(?: \((\d+)\))?: `([^`]+)`$/.exec(item) ?? [];
      if (names === undefined || says === undefined) throw new Error(`Not a kind and its verdict: ${item}`);
      for (const name of names.split(" / ")) {
        if (kinds.has(name)) throw new Error(`Documented twice: ${name}`);
        kinds.set(name, {
          exitCode: Number(ownCode ?? exitCode),
          says: patternOf(`${beginning} ${says}`.trim()),
        });
      }
    }
  }
  return kinds;
}

function patternOf(says: string): RegExp {
  const parts = says.split("…");
  return new RegExp(
    parts.map((part) => part.trim().replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join(".*"),
    "s",
  );
}
