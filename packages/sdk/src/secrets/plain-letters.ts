import { decodeUtf8 } from "./decoded-view.ts";

/** Letters that are no plain letter with a mark. */
const others: Readonly<Record<string, string>> = {
  ł: "l",
  ø: "o",
  đ: "d",
  ð: "d",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ı: "i",
  Ł: "L",
  Ø: "O",
  Đ: "D",
  Ð: "D",
  Æ: "AE",
  Œ: "OE",
};

/** A name without the marks of its letters, however an address spells them: `Contrase%C3%B1a` → Contrasena. */
export function plainLetters(name: string): string {
  if (!/[%\x80-\uffff]/.test(name)) return name;
  return readable(name)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[łøđðßæœıŁØĐÐÆŒ]/g, (letter) => others[letter] ?? letter);
}

/** The text that escapes or bytes stand for. */
function readable(name: string): string {
  const bytes = name.replace(/%([\dA-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return /[^\0-\xff]/.test(bytes) ? bytes : (decodeUtf8(bytes) ?? bytes);
}
