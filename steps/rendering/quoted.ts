/** Texts as prompts show them. Pure. */

/** Returns the letter of a position: 0 -> a, 25 -> z. */
export function letter(position: number): string {
  return String.fromCharCode(97 + position);
}

/** "(a) Paris, (b) Lyon" */
export function lettered(items: readonly string[], separator = ', '): string {
  return items.map((item, k) => `(${letter(k)}) ${item}`).join(separator);
}

/** Returns a text that cannot open or close the tags around it. */
export function takenApart(text: string, tag: string): string {
  return text.replace(new RegExp(`<(?=/?${tag})`, 'gi'), '< ');
}

/** Renders texts between numbered tags, which no text can close. */
export function tagged(texts: readonly string[], tag: string): string {
  return texts
    .map((text, i) => `<${tag} number="${i + 1}">\n${takenApart(text, tag)}\n</${tag}>`)
    .join('\n');
}
