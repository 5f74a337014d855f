/**
 * Splits options like a shell: at white space outside quotes, with backslashes. Nothing is expanded or
 * executed. @throws for a quote that is not closed
 */
export function splitArguments(text: string): string[] {
  const found: string[] = [];
  let current: string | null = null;
  // Text in single quotes, in double quotes, a backslash that ends a line, an escaped character, white space,
  // or any other character.
  for (const [token] of text.matchAll(/'[^']*'|"(?:[^"\\]|\\[^])*"|\\(?:\r?\n|$)|\\[^]|\s+|[^]/g)) {
    // The line goes on in the next one.
    if (/^\\(?:\r?\n)?$/.test(token)) continue;
    if (/^\s/.test(token)) {
      if (current !== null) found.push(current);
      current = null;
    } else current = (current ?? "") + unquote(token);
  }
  return current === null ? found : [...found, current];
}

function unquote(token: string): string {
  if (token === '"' || token === "'")
    throw new Error(`The input \`args\` has a ${token} that is not closed.`);
  if (token.startsWith("'")) return token.slice(1, -1);
  if (token.startsWith('"')) return token.slice(1, -1).replace(/\\(?:\r?\n|(["\\$`]))/g, "$1");
  return token.startsWith("\\") ? token.slice(1) : token;
}
