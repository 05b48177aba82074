/** The style sheet and the scripts of the report's page, as they go into its file. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../stores/package-root.js';
import { COLOURS } from './data-sets.js';

/**
 * The style sheet and scripts that are embedded in the report's page, with the security policy that
 * allows them.
 */
export interface Assets {
  /** Text of the style sheet. */
  style: string;
  /** Source texts of ES modules without imports, in the order in which they run. */
  scripts: string[];
  /**
   * Content security policy that allows only these scripts and this style, and no requests, except
   * to the page's own server if it has one.
   */
  policy: string;
}

const FOLDER = ['report', 'page'];
const STYLES = ['base', 'figures', 'questions', 'question', 'narrow'];
const SCRIPTS = ['theme.js', 'export.js', 'question-list.js', 'question.js'];

/**
 * Returns the text of the page's style sheet (`style`) and the source texts of its scripts
 * (`scripts`), read from the package, and the content security policy that allows them (`policy`).
 *
 * @param isServed Whether a server shows the page, to which its scripts may send requests.
 * @throws Error if the scripts were not compiled.
 */
export async function readAssets(isServed = false): Promise<Assets> {
  const root = packageRoot();
  const compiled = join(root, 'dist', ...FOLDER);
  if (!existsSync(join(compiled, 'question.js'))) {
    throw new Error(`The report's scripts are not in ${compiled}: run "npm run build".`);
  }
  const styles = await Promise.all(
    STYLES.map((name) => readFile(join(root, ...FOLDER, `${name}.css`), 'utf8')),
  );
  const colours = COLOURS.map(
    ([light, dark], i) => `.c${i} { --run: light-dark(${light}, ${dark}); }\n`,
  );
  const style = [...styles, ...colours].join('');
  const names = isServed ? ['served.js', ...SCRIPTS] : SCRIPTS;
  const scripts = await Promise.all(names.map((name) => readFile(join(compiled, name), 'utf8')));
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map(sourceOf).join(' ')}`,
    `style-src ${sourceOf(style)}`,
    'img-src data:',
    ...(isServed ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return { style, scripts, policy };
}

function sourceOf(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}
