import { readFileSync } from "node:fs";
import { join } from "node:path";

import { parse } from "yaml";
import * as z from "zod";

import { root } from "../../../../tools/workspace.mjs";

const texts = z.record(z.string(), z.coerce.string()).default({});

const stepSchema = z.object({
  name: z.string(),
  id: z.string().optional(),
  if: z.string().optional(),
  run: z.string().optional(),
  shell: z.string().optional(),
  uses: z.string().optional(),
  "working-directory": z.string().optional(),
  env: texts,
  with: texts,
});

const actionSchema = z.object({
  inputs: z.record(
    z.string(),
    z.object({
      description: z.string(),
      required: z.boolean().default(false),
      default: z.string().default(""),
    }),
  ),
  outputs: z.record(z.string(), z.object({ description: z.string(), value: z.string() })),
  runs: z.object({ using: z.literal("composite"), steps: z.array(stepSchema) }),
});

export type Step = z.infer<typeof stepSchema>;

export const actionText: string = readFileSync(join(root, "action.yml"), "utf8");
export const action = actionSchema.parse(parse(actionText));
