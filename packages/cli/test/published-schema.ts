import { readFileSync } from "node:fs";

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const compiled = new Map<string, ValidateFunction>();

/** All errors that a validator of the published JSON Schema of this name finds in a document. */
export function schemaErrors(name: string, document: unknown): string[] {
  const validate = compiled.get(name) ?? compile(name);
  compiled.set(name, validate);
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`);
}

function compile(name: string): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  const schema = readFileSync(new URL(`../../sdk/${name}`, import.meta.url), "utf8");
  return ajv.compile(JSON.parse(schema) as object);
}
