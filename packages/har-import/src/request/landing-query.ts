import { isIdentifier } from "@bearhug/text/identifier";
import { looksSecret } from "../secrets/secret-looks.ts";

/** Names of parameters that choose the page of a site that has all its pages at one path. */
const ofPage =
  /^(?:a|act|action|c|cmd|controller|do|fuseaction|layout|m|mod|mode|module|op|option|p|page|q|r|route|screen|section|step|tab|task|view)$/i;
/** Names of parameters that tell a page what became of a form. */
const ofOutcome =
  /^(?:added|created|deleted|denied|done|err|error|errors|failed|login_?error|message|msg|ok|result|saved|sent|settings-updated|status|success|updated)$/i;
const words = /^[A-Za-z][A-Za-z_./-]{0,60}$/;
const smallNumber = /^\d{1,2}$/;

/**
 * Returns the parameters of an address that are the same in each run and say which page it is, as a query:
 * `route=account/home` of `/index.php?route=account/home&id=7`; "" if it has none.
 *
 * @param isDerived Returns true for text that a site derives from what it received.
 */
export function landingQueryOf(url: URL, isDerived: (text: string) => boolean = () => false): string {
  const isWord = (value: string): boolean =>
    words.test(value) &&
    !isDerived(value) &&
    value.split("/").every((word) => !isIdentifier(word) && !looksSecret(word));
  return [...url.searchParams]
    .filter(([name, value]) => {
      const isNumber = ofOutcome.test(name) && smallNumber.test(value);
      return isNumber || ((ofPage.test(name) || ofOutcome.test(name)) && isWord(value));
    })
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}
