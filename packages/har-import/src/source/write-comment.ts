const width = 77;

/** Text as comment lines. Nothing is left that could end one, hide in it or speak to a tool. */
export function writeComment(text: string): string {
  const lines: string[] = [];
  for (const word of safeWords(text)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((line) => `// ${line}\n`).join("");
}

/** The words of a text, of which only the harmless characters are kept. */
function safeWords(text: string): string[] {
  return text
    .replace(/ ?[;—]+/g, ", ")
    .replace(/[^\w.,:/%'-]+/g, (other) => (/^["`()]+$/.test(other) ? "" : " "))
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => word.slice(0, width));
}
