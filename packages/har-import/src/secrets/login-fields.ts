import { isPasswordName, isPasswordNextToUser } from "@bearhug/text/secrets/secret-names";

/** Names of fields for a user, in several languages. */
const userWords = [
  "user|user-?_?name|user-?_?id|login|login-?_?name|account|identifier|uname|nick-?_?name|member-?_?id",
  "usuario|utilisateur|identifiant|benutzer|benutzer-?_?name|nutzername|kennung|utente|nome-?_?utente|gebruiker",
  "gebruikersnaam|kullanici|kullanici-?_?adi|uzytkownik|brukernavn|brugernavn|anvandarnamn|kayttajatunnus",
  "логин|пользователь|用户名|帐号|账号|ユーザー名|아이디",
].join("|");
const phoneWords =
  "(?:mobile|cell|tele)?-?_?phone(?:-?_?(?:number|no))?|mobile(?:-?_?(?:number|no))?|msisdn|tel|telefon|telefono|telephone|handy|celular|手机号?";
const inBrackets = (words: string): RegExp => new RegExp(`^(?:.*[[.:$_-])?(?:${words})\\]?$`, "i");
const userField = inBrackets(`${userWords}|${phoneWords}`);
const emailField = inBrackets("e-?_?mail(?:-?_?address)?|correo|courriel");
const phoneNumber = /^\+?\d(?:[ ()./-]{0,2}\d){6,14}$/;

/**
 * Returns true for a field that identifies a user beside a password. E-mail addresses are recognized by their
 * looks.
 */
export function isUserField(name: string): boolean {
  return userField.test(name);
}

/** Returns true for a phone number. */
export function isPhoneNumber(text: string): boolean {
  return phoneNumber.test(text);
}

/** A code that a user receives to log in; other codes may be anything. */
const sentCode = /^\d{4,8}$/;

/**
 * Returns true for a value whose name means a password only beside a user field: `clave`, `parola`; under
 * `code`, only digits count.
 */
export function isPasswordBeside(name: string, text: string, others: readonly string[]): boolean {
  if (!isPasswordNextToUser(name)) return false;
  if (/code|codigo|codice|kod$/i.test(name) && !sentCode.test(text)) return false;
  return others.some((other) => isUserField(other) || emailField.test(other));
}

/** Returns true for the phone number of a login. It identifies a person, as an e-mail address does. */
export function isLoginPhone(name: string, text: string, others: readonly string[]): boolean {
  return isUserField(name) && isPhoneNumber(text) && others.some(isPasswordName);
}

/** Returns true if a login may have a field of this name. False for most names. */
export function mayBeOfLogin(name: string): boolean {
  return isUserField(name) || isPasswordNextToUser(name);
}

const input = /<input\b([^<>]{1,2000})>/gi;
const isPasswordType = /(?<![\w-])type\s{0,8}=\s{0,8}\\?["']?password(?![\w-])/i;
/** Also matches in HTML inside a script or JSON. */
const inputName = /(?<![\w-])(?:name|id)\s{0,8}=\s{0,8}(?:\\?["']([^"'\\<>]{1,200})|([^"'\\\s<>]{1,200}))/gi;

/** Returns the names of the HTML fields that hide what is typed. */
export function findPasswordInputs(html: string): string[] {
  return Array.from(html.matchAll(input), ([, attributes = ""]) => {
    if (!isPasswordType.test(attributes)) return "";
    const names = [...attributes.matchAll(inputName)];
    const [, quoted, bare] = names.find(([whole]) => /^name/i.test(whole)) ?? names[0] ?? [];
    return quoted ?? bare ?? "";
  }).filter((name) => name !== "");
}
