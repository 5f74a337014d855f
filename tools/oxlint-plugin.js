/**
 * Rejects comments that disable rules, which oxlint always honours.
 * @type {import("eslint").Rule.RuleModule}
 */
const noInlineConfig = {
  create: (context) => ({
    Program() {
      const { lines } = context.sourceCode;
      // Reported at both ends of the file, because a disabling comment cannot cover both.
      const ends = [
        { line: 1, column: 0 },
        { line: lines.length, column: lines.at(-1)?.length ?? 0 },
      ];
      for (const { value, loc } of context.sourceCode.getAllComments()) {
        if (!/^\s*(?:ox|es)lint/.test(value)) continue;
        const message = `Line ${loc?.start.line ?? 0} configures a rule: do it in oxlint.config.ts, for everyone, with the reason.`;
        for (const end of ends) context.report({ loc: end, message });
      }
    },
  }),
};

/**
 * Rejects comments that begin with "Of", because they do not name the thing itself.
 * @type {import("eslint").Rule.RuleModule}
 */
const noDanglingOf = {
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        if (!/^[\s*]*Of /.test(comment.value) || !comment.loc) continue;
        context.report({ loc: comment.loc, message: 'Say what it is: "The size of …", not "Of …".' });
      }
    },
  }),
};

export default {
  meta: { name: "bearhug" },
  rules: { "no-inline-config": noInlineConfig, "no-dangling-of": noDanglingOf },
};
