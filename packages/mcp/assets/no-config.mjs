// In place of the project's bearhug.config.ts, which could name other hosts to report to.
export default {};
