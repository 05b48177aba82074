/** Filling a prompt template. Pure. */
import { Failure } from '../../core/failure.js';
import { sha256Of } from '../../core/sha256.js';

/** A prompt file: the text of the first time, and what is added when the output is asked again. */
export interface Template {
  /** What an error names, usually the file. */
  name: string;
  text: string;
  again: string;
  /** First 12 hex digits of the sha256 of the file: the prompt's version. */
  hash: string;
}

const AGAIN = /^=== again ===\n/m;
/** Lines between {{#name}} and {{/name}}, each mark on a line of its own. */
const SECTION = /^\{\{#([\w-]+)\}\}\n(.*?)^\{\{\/\1\}\}(?:\n|$(?![\s\S]))/gms;
const PLACEHOLDER = /\{\{\s*([\w-]+)\s*\}\}/g;

/** Splits a prompt file's content into its parts. */
export function parseTemplate(name: string, content: string): Template {
  const [text = '', again = ''] = content.replace(/\r\n/g, '\n').split(AGAIN, 2);
  const hash = sha256Of(content, 12);
  return { name, text: text.trimEnd(), again: again.trimEnd(), hash };
}

/**
 * Fills the placeholders; a line that is nothing but an empty placeholder goes, with the blank
 * line after it. Lines between {{#name}} and {{/name}} are there only when `name` is not empty.
 * What is filled in is not searched for placeholders.
 *
 * @throws Failure BadInput when the template names a placeholder the step does not have.
 */
export function fillTemplate(
  template: Template,
  variables: Record<string, string>,
  attempt: number,
): string {
  const fill = (text: string) =>
    text
      .replace(SECTION, (_, name: string, lines: string) => (variables[name] === '' ? '' : lines))
      .replace(/^\{\{\s*([\w-]+)\s*\}\}\n\n?/gm, (line, name: string) =>
        variables[name] === '' ? '' : line,
      )
      .replace(PLACEHOLDER, (_, name: string) => {
        const value = variables[name];
        if (value !== undefined) return value;
        const known = Object.keys(variables).join(', ');
        throw new Failure(
          'BadInput',
          `The prompt ${template.name} has a placeholder {{${name}}}; it can use: ${known}.`,
        );
      });
  return attempt === 0 ? fill(template.text) : fill(`${template.text}\n${template.again}`);
}
