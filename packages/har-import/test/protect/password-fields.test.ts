import { expect, test } from "vitest";
import { importCapture, redactHar } from "../../src/index.ts";
import { findPasswordInputs } from "../../src/secrets/login-fields.ts";
import { importField, sourceOfField } from "../field-capture.ts";
import { bytesOf, documentOf, entryOf, harOf } from "../har-file.ts";

const origin = "https://shop.test";

/** Returns a capture of a login page and the request that it sends. */
function loginOf(html: string, mimeType: string, text: string): unknown {
  return harOf([
    documentOf(`${origin}/login`, { response: { content: { size: 1, mimeType: "text/html", text: html } } }),
    entryOf(`${origin}/login`, {
      request: {
        method: "POST",
        headers: [{ name: "content-type", value: mimeType }],
        postData: { mimeType, text },
      },
    }),
  ]);
}

const form = "application/x-www-form-urlencoded";
const json = "application/json";

/** Returns the recorded values of a capture's required variables, by name. */
async function requiredOf(har: unknown): Promise<Readonly<Record<string, string>>> {
  const { model, recordedValues } = await importCapture(() => bytesOf(har));
  const required = model.variables.filter(({ isOptional }) => !isOptional);
  return Object.fromEntries(required.map(({ name }) => [name, recordedValues[name] ?? ""]));
}

test("an input of type password is a password, whatever its name", async () => {
  expect((await importField("pwfield")).recordedValues).toEqual({
    BENUTZER: "jdoe77",
    KENNWORT: "Invented-Pw9",
  });
  const html = '<form><input name="who"><input class="a" type="password" name="feld7"></form>';
  expect(await requiredOf(loginOf(html, form, "who=jane&feld7=honey"))).toEqual({ FELD: "honey" });
});

test.each([
  ["<input type=password name=feld7>", ["feld7"]],
  ["<INPUT NAME='feld7' TYPE='PASSWORD'>", ["feld7"]],
  ['<input type="password" id="pw-1">', ["pw-1"]],
  ['<input id="a" data-type="x" type="password" name="feld7"/>', ["feld7"]],
  [String.raw`{"html":"<input type=\"password\" name=\"feld7\">"}`, ["feld7"]],
  ['<input type="text" name="password">', []],
  ['<input type="password">', []],
  ['<input data-type="password" name="a">', []],
])("the password fields of %s are %j", (html, names) => {
  expect(findPasswordInputs(html)).toEqual(names);
});

test.each([
  [form, "usuario=jane&clave=honey", { USUARIO: "jane", CLAVE: "honey" }],
  [form, "utente=jane&parola=honey", { UTENTE: "jane", PAROLA: "honey" }],
  [json, '{"phone":"+1 555 010 0123","code":"4711"}', { PHONE: "+1 555 010 0123", CODE: "4711" }],
  [form, "codigo=123456&email=jane%40shop.test", { CODIGO: "123456", EMAIL: "jane@shop.test" }],
])("in %s %s an ambiguous name is a password beside a user name", async (type, text, values) => {
  expect(await requiredOf(loginOf("<form>", type, text))).toEqual(values);
});

test.each([
  [form, "clave=honey&color=red"],
  [form, "country_code=4711&user=jane"],
  [json, '{"user_id":7,"code":"SAVE10"}'],
  [json, '{"code":"4711","country":"DE"}'],
])("in %s %s an ambiguous name is not a password", async (type, text) => {
  expect(await requiredOf(loginOf("<form>", type, text))).toEqual({});
});

test("a phone number used to log in becomes a variable everywhere", async () => {
  expect((await importField("phone")).recordedValues).toEqual({
    PHONE: "15550100123",
    PASSWORD: "Invented-Pw9",
  });
  const source = await sourceOfField("phone");
  expect(source).toContain("env.PHONE");
  expect(source).not.toContain("15550100123");
});

test.each([
  ["pw_senha", ["USUARIO", "SENHA"]],
  ["pw_kennwort", ["USUARIO", "KENNWORT"]],
])("%s: a password field in another language becomes a variable", async (name, variables) => {
  const { recordedValues } = await importField(name);
  expect(Object.keys(recordedValues)).toEqual(variables);
  expect(await sourceOfField(name)).not.toContain("Invented");
});

test("a phone number without a login is sent as recorded", async () => {
  expect(await requiredOf(loginOf("<form>", form, "phone=15550100123&color=red"))).toEqual({});
});

test("a user and password in an address are sent as an Authorization header", async () => {
  const { recordedValues, model } = await importField("sec1");
  expect(recordedValues["AUTHORIZATION"]).toBe(btoa("joe:Invented-Pw9"));
  expect(model.variables).toContainEqual({
    name: "AUTHORIZATION",
    isOptional: false,
    description: 'The header "authorization", base64 of user:password, of GET /a.',
  });
  expect(await sourceOfField("sec1")).toMatch(
    /http\.get\("\/a", \{\s*headers: \{ authorization: "Basic " \+ env\.AUTHORIZATION \}/,
  );
});

test.each([
  loginOf('<input type="password" name="feld7">', form, "who=jane&feld7=Invented-Pw9"),
  loginOf('<input type="password" name="feld7">', json, '{"user":"jane","feld7":"Invented-Pw9"}'),
  loginOf(
    '<input type="password" name="feld7">',
    "multipart/form-data; boundary=x",
    '--x\r\nContent-Disposition: form-data; name="feld7"\r\n\r\nInvented-Pw9\r\n--x--\r\n',
  ),
  loginOf("", form, "usuario=jane&clave=Invented-Pw9"),
  loginOf("", json, '{"usuario":"jane","clave":"Invented-Pw9"}'),
  loginOf("", json, '{"phone":"15550100123","password":"Invented-Pw9"}'),
  loginOf("", form, "phone=15550100123&password=Invented-Pw9"),
  harOf([documentOf("https://joe:Invented-Pw9@shop.test/")]),
])("a redacted capture contains none of these credentials (%#)", async (har) => {
  let redacted = "";
  for await (const piece of redactHar(() => bytesOf(har))) redacted += piece;
  expect(redacted).not.toMatch(/Invented-Pw9|15550100123|joe:/);
});
