import type { CapturedRequest } from "../capture-model.ts";
import { encodedFields, fieldsObject, isAsWritten } from "./field-list.ts";
import { joinOperands, type Operand, operandsOf, valueExpression } from "./value-expression.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Code for the address of a request. */
export interface AddressCode {
  readonly url: string;
  /** The query, where it is written apart; null where the address has it, or there is none. */
  readonly params: string | null;
}

/** Queries up to here stay in the address, where nothing in them is encoded. */
const longestPlainQuery = 40;

/** Where a request goes, as it was recorded to the byte, but for values that are known only when the test runs. */
export function writeAddress(request: CapturedRequest, vocabulary: Vocabulary): AddressCode {
  const { origin, path, query, address: handedOut } = request;
  if (handedOut !== undefined) return { url: valueExpression(handedOut, vocabulary), params: null };
  const base = origin === vocabulary.origin ? pathPrefix(path.map(({ written }) => written)) : origin;
  const address: Operand[] = [{ text: base }, ...path.flatMap((atom) => writeSegment(atom, vocabulary))];
  if (query.length === 0) return { url: joinOperands(address), params: null };
  const isPlain = query.every((atom) => isAsWritten(atom) && !/[%+]/.test(atom.written));
  const length = query.reduce((sum, { written }) => sum + 1 + (written ?? "").length, 0);
  const params = isPlain && length <= longestPlainQuery ? null : fieldsObject(query, vocabulary);
  if (params !== null) return { url: joinOperands(address), params };
  return {
    url: joinOperands([...address, { text: "?" }, ...encodedFields(query, vocabulary)]),
    params: null,
  };
}

function writeSegment(atom: CapturedRequest["path"][number], vocabulary: Vocabulary): Operand[] {
  if (isAsWritten(atom)) return [{ text: `/${atom.written}` }];
  return [{ text: "/" }, ...operandsOf(atom.value, vocabulary, "segment")];
}

/** A path that begins with two slashes would name a host: a dot before it says that it does not. */
function pathPrefix([first, ...others]: readonly (string | null)[]): string {
  return first === "" && others.length > 0 ? "/." : "";
}
