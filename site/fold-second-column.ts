import type { MarkdownRenderer } from "vitepress";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

const folded = new Set(["option|variable", "option|type", "member|type"]);

/** Puts the variable or the type of an option below its name: four columns are too many for the width of a page. */
export function foldSecondColumn(markdown: MarkdownRenderer): void {
  markdown.core.ruler.after("inline", "fold_second_column", (state) => {
    const kept: Token[] = [];
    let column = 0;
    let isFolded = false;
    let first: Token | undefined;
    for (const token of state.tokens) {
      if (token.type === "table_open") isFolded = false;
      if (token.type === "tr_open") column = 0;
      if (/^t[hd]_open$/.test(token.type)) column++;
      if (token.type === "inline" && column === 1) first = token;
      if (token.type === "inline" && column === 2 && folded.has(`${first?.content ?? ""}|${token.content}`))
        isFolded = true;
      kept.push(token);
      if (!isFolded || column !== 2 || !/^t[hd]_close$/.test(token.type)) continue;
      const [, cell] = kept.splice(-3);
      if (token.type === "td_close" && cell?.content !== "")
        first?.children?.push(new state.Token("hardbreak", "br", 0), ...(cell?.children ?? []));
    }
    state.tokens = kept;
  });
}
