import type { MarkdownRenderer } from "vitepress";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

/**
 * Puts the variable of each option below the option, in tables whose first columns are `option` and `variable`: four columns are too
 * many for the width of a page.
 */
export function foldVariables(markdown: MarkdownRenderer): void {
  markdown.core.ruler.after("inline", "fold_variables", (state) => {
    const kept: Token[] = [];
    let column = 0;
    let isFolded = false;
    let option: Token | undefined;
    for (const token of state.tokens) {
      if (token.type === "table_open") isFolded = false;
      if (token.type === "tr_open") column = 0;
      if (/^t[hd]_open$/.test(token.type)) column++;
      if (token.type === "inline" && column === 1) option = token;
      if (
        token.type === "inline" &&
        column === 2 &&
        token.content === "variable" &&
        option?.content === "option"
      )
        isFolded = true;
      kept.push(token);
      if (!isFolded || column !== 2 || !/^t[hd]_close$/.test(token.type)) continue;
      const [, cell] = kept.splice(-3);
      if (token.type === "td_close" && cell?.content !== "")
        option?.children?.push(new state.Token("hardbreak", "br", 0), ...(cell?.children ?? []));
    }
    state.tokens = kept;
  });
}
