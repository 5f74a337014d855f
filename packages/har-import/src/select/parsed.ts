/** What a person wrote, understood; or why it was not, in words that follow it: "must begin with /". */
export type Parsed<Value> = { readonly value: Value } | { readonly problem: string };
