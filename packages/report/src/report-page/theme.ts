/** The current colors and font of drawings, from the page's style. */
export interface Palette {
  readonly text: string;
  readonly faint: string;
  readonly grid: string;
  readonly lines: readonly string[];
  readonly band: string;
  /** The color of the fullest cell of a heat map; emptier ones are more transparent. */
  readonly heat: string;
  readonly font: string;
}

const redraws = new Set<() => void>();

/** Calls `redraw` when the colors have changed. Returns a function that ends this. */
export function onThemeChange(redraw: () => void): () => void {
  redraws.add(redraw);
  return () => redraws.delete(redraw);
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

type Theme = "light" | "dark";

/** The choice of the page's reader; null until the button is used. */
let chosen: Theme | null = null;

/**
 * Creates the button that switches between light and dark. Until it is used, the system's setting applies.
 */
export function createThemeButton(): HTMLButtonElement {
  const theme = (): Theme => chosen ?? (systemIsDark.matches ? "dark" : "light");
  const button = document.createElement("button");
  button.type = "button";
  const show = (): void => {
    const other = theme() === "dark" ? "light" : "dark";
    button.textContent = other === "light" ? "Light" : "Dark";
    button.title = `Show the page in ${other} colors`;
    paint(theme());
  };
  button.addEventListener("click", () => {
    chosen = theme() === "dark" ? "light" : "dark";
    show();
  });
  systemIsDark.addEventListener("change", show);
  // Paper is light, whatever the screen shows.
  addEventListener("beforeprint", () => paint("light"));
  addEventListener("afterprint", show);
  show();
  return button;
}

function paint(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
  for (const redraw of redraws) redraw();
}
