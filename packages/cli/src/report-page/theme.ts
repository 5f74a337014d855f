/** Colours and fonts of what is drawn, as the page's style has them at this moment. */
export interface Palette {
  readonly text: string;
  readonly faint: string;
  readonly grid: string;
  readonly lines: readonly string[];
  readonly band: string;
  /** The colour of the fullest cell of a heat map; emptier ones are more transparent. */
  readonly heat: string;
  readonly font: string;
}

const redraws = new Set<() => void>();

/** Calls when the colours have changed, so that what is drawn must be drawn again. */
export function onThemeChange(redraw: () => void): void {
  redraws.add(redraw);
}

export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return {
    text: read("--text"),
    faint: read("--faint"),
    grid: read("--grid"),
    lines: [1, 2, 3, 4, 5, 6].map((line) => read(`--line-${line}`)),
    band: read("--band"),
    heat: read("--heat"),
    font: `12px ${read("--font")}`,
  };
}

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

/** The button that switches between light and dark; until it is used, the system's choice holds. */
export function createThemeButton(): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  const isDark = (): boolean => {
    const { theme } = document.documentElement.dataset;
    return theme === undefined ? systemIsDark.matches : theme === "dark";
  };
  const show = (): void => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.title = isDark() ? "Show the page in light colors" : "Show the page in dark colors";
    for (const redraw of redraws) redraw();
  };
  button.addEventListener("click", () => {
    document.documentElement.dataset["theme"] = isDark() ? "light" : "dark";
    show();
  });
  systemIsDark.addEventListener("change", show);
  printInLight();
  show();
  return button;
}

/** Paper is light, whatever the screen shows. */
function printInLight(): void {
  let before: string | undefined;
  addEventListener("beforeprint", () => {
    before = document.documentElement.dataset["theme"];
    document.documentElement.dataset["theme"] = "light";
    for (const redraw of redraws) redraw();
  });
  addEventListener("afterprint", () => {
    if (before === undefined) delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = before;
    for (const redraw of redraws) redraw();
  });
}
