/** Buttons that save a table as CSV and a picture as SVG. */

/** Properties of the style sheet that an exported picture needs. */
const DRAWN = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font'];

function keep(name: string, type: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

function button(label: string, name: string, act: () => void): HTMLButtonElement {
  return Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'keep',
    textContent: label,
    title: `Keep as ${name}`,
    onclick: act,
  });
}

/** Returns the visible text of a table, a line a row. */
function csvOf(table: HTMLTableElement): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = [...table.rows].map((row) =>
    // biome-ignore lint/performance/useDomNodeTextContent: of three means one is visible.
    [...row.cells].map((cell) => quoted(cell.innerText.replace(/\s+/g, ' ').trim())).join(','),
  );
  return `${lines.join('\r\n')}\r\n`;
}

/** Returns a picture with the style that it is shown in. */
function svgOf(picture: SVGSVGElement): string {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  const shown = picture.querySelectorAll('*');
  for (const [i, element] of copy.querySelectorAll<SVGElement>('*').entries()) {
    const from = shown[i];
    if (!from) continue;
    const style = getComputedStyle(from);
    for (const name of DRAWN) element.style.setProperty(name, style.getPropertyValue(name));
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.style.background = getComputedStyle(document.documentElement).backgroundColor;
  return new XMLSerializer().serializeToString(copy);
}

for (const table of document.querySelectorAll<HTMLTableElement>('table[data-export]')) {
  const name = `${table.dataset.export}.csv`;
  table.before(button('CSV', name, () => keep(name, 'text/csv', csvOf(table))));
}
for (const figure of document.querySelectorAll<HTMLElement>('[data-picture]')) {
  const picture = figure.querySelector('svg');
  const name = `${figure.dataset.picture}.svg`;
  if (!picture) continue;
  figure.prepend(button('SVG', name, () => keep(name, 'image/svg+xml', svgOf(picture))));
}

export {};
