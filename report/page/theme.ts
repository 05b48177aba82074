/** The button that changes between light and dark; without it the system decides. */

const KEY = 'durable-rag-theme';
const root = document.documentElement;

/** Returns the stored choice, after storing a new one; without storage it lasts as long as the page. */
function stored(theme?: string): string | null {
  try {
    if (theme !== undefined) localStorage.setItem(KEY, theme);
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function isDark(): boolean {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  return (root.style.colorScheme || system) === 'dark';
}

const button = document.querySelector<HTMLButtonElement>('#theme');
const show = () => {
  button?.setAttribute('aria-pressed', String(isDark()));
};

const before = stored();
if (before !== null) root.style.colorScheme = before;
show();
button?.addEventListener('click', () => {
  const theme = isDark() ? 'light' : 'dark';
  root.style.colorScheme = theme;
  stored(theme);
  show();
});

export {};
