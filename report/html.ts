/** Builds markup in which every value is escaped, unless it is markup itself. */

/** HTML source, which `html` inserts into other markup without escaping. */
export class Markup {
  constructor(readonly source: string) {}
}

type Value = string | number | Markup | null | undefined | false | readonly Value[];

/**
 * Returns a `Markup` object made from a template literal. Strings and numbers are escaped, for
 * elements and quoted attributes; null, undefined and false are left out; arrays are joined.
 *
 * @example html`<td title="${title}">${text}</td>`
 */
export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  const filled = parts.map((part, i) => (i === 0 ? part : sourceOf(values[i - 1]) + part));
  return new Markup(filled.join(''));
}

function sourceOf(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Markup) return value.source;
  if (typeof value === 'object') return value.map(sourceOf).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * Returns a value as JSON for the content of a script element, as `Markup`, escaped so that no
 * text in it can end the element.
 */
export function scriptJson(value: unknown): Markup {
  return new Markup(JSON.stringify(value).replaceAll('<', '\\u003c'));
}
