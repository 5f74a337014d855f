import { format } from "oxfmt";
import config from "../oxfmt.config.ts";

/**
 * Formats a text that a program writes into this repository.
 * @param {string} path its ending determines the language
 * @param {string} text
 */
export async function formatText(path, text) {
  const { code, errors } = await format(path, text, { printWidth: config.printWidth });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join(" "));
  return code;
}
