/** Parses and fills prompt templates. Pure. */
import { Failure } from '../../core/failure.js';
import { sha256Of } from '../../core/sha256.js';

/** A parsed prompt file: its text, and the addition for asking again after an unreadable output. */
export interface Template {
  /** Name for error messages, usually the file's. */
  name: string;
  text: string;
  /**
   * Text that is added if the step asks again after an unreadable output; empty if there is none.
   */
  again: string;
  /** Version of the prompt: the first 12 hex digits of the file's SHA-256. */
  hash: string;
}

const AGAIN = /^=== again ===\n/m;
/** Matches the lines between {{#name}} and {{/name}}, each on a line of its own. */
const SECTION = /^\{\{#([\w-]+)\}\}\n(.*?)^\{\{\/\1\}\}(?:\n|$(?![\s\S]))/gms;
const PLACEHOLDER = /\{\{\s*([\w-]+)\s*\}\}/g;

/**
 * Returns the parts of a prompt file: its text, the addition for asking again after an unreadable
 * output (empty if there is none), and a hash of the file.
 *
 * @param name Name for error messages, usually the file's.
 */
export function parseTemplate(name: string, content: string): Template {
  const [text = '', again = ''] = content.replace(/\r\n/g, '\n').split(AGAIN, 2);
  const hash = sha256Of(content, 12);
  return { name, text: text.trimEnd(), again: again.trimEnd(), hash };
}

/**
 * Returns the content of a prompt file with this text and this addition; the reverse of
 * `parseTemplate`.
 */
export function promptFileOf({ text, again }: Pick<Template, 'again' | 'text'>): string {
  return again === '' ? `${text}\n` : `${text}\n=== again ===\n${again}\n`;
}

/**
 * Returns the template's text with its placeholders filled. A line that consists of an empty
 * placeholder is removed, with the blank line after it. Lines between {{#name}} and {{/name}} are
 * included only if `name` is not empty. Inserted text is not searched for placeholders.
 *
 * @param attempt Number of times that the step has asked before; from 1 the addition follows.
 * @throws Failure BadInput if the template names a placeholder that the step does not have.
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
