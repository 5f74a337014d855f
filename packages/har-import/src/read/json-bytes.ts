/** Kinds of bytes outside of JSON strings. Numbers, because the scanner looks up each byte in a table of them. */
export const illegal = 0;
export const space = 1;
/** Part of a number or a literal. */
export const scalar = 2;
export const quote = 3;
export const openObject = 4;
export const openList = 5;
export const closeObject = 6;
export const closeList = 7;
export const comma = 8;
export const colon = 9;

/** The kind of each byte. */
export const kindOfByte: Uint8Array = kinds();

export const backslashByte = 0x5c;
export const quoteByte = 0x22;

function kinds(): Uint8Array {
  const table = new Uint8Array(256);
  const mark = (characters: string, kind: number): void => {
    for (const character of characters) table[character.charCodeAt(0)] = kind;
  };
  mark(" \t\n\r", space);
  mark("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-.", scalar);
  mark('"', quote);
  mark("{", openObject);
  mark("[", openList);
  mark("}", closeObject);
  mark("]", closeList);
  mark(",", comma);
  mark(":", colon);
  return table;
}
