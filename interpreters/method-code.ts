/** Hashes the code of a method, since a run belongs to one version of it. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Module, ModuleItem, VariableDeclaration } from '@swc/core';
import { canonicalJson } from '../core/canonical-json.js';
import { Failure, messageOf } from '../core/failure.js';
import { sha256Of } from '../core/sha256.js';
import { STEP_NAMES } from '../steps/table.js';
import type { MethodCode, OwnMethod } from '../workflows/define-method.js';
import { importedFile, moduleFile, stepsAsked } from './steps-asked.js';

/** Hex digits of a hash. */
const DIGITS = 12;

/** Key for the rest of a file: imports, re-exports, statements. */
const REST = '(rest)';

/** Path of this package. */
const PACKAGE_ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** Matches paths of this package's code that methods share, built or not. */
const SHARED = /^(?:dist\/)?(?:core|evaluation|interpreters|report|steps|workflows)\//;

/**
 * Returns hashes of the code of a method, which show whether it has changed: one of all the code
 * (`version`), and one for each declaration, by file and name (`files`); also the versions that it
 * says it continues, if any (`continues`). The files are the method's own, those that it imports
 * by relative paths, and the durable-rag steps that it can ask; other code of durable-rag is left
 * out. Types, comments and white space do not count, so TypeScript and the JavaScript built from
 * it have the same hashes, unless the build changes more than types (a target before ES2022, an
 * enum, a bundle).
 *
 * @returns Undefined if the method does not name its module, or its file does not exist.
 * @throws Failure BadInput naming a file that cannot be parsed.
 */
export function methodCode({
  module,
  continues,
}: Pick<OwnMethod<unknown>, 'continues' | 'module'>): MethodCode | undefined {
  if (module === undefined || !existsSync(moduleFile(module))) return undefined;
  const main = realpathSync(moduleFile(module));
  const files: MethodCode['files'] = {};
  const waiting = [main];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const name = withoutEnding(relative(dirname(main), file).split(sep).join('/'));
    if (files[name] !== undefined) continue;
    const { texts, imports } = declarationsOf(file);
    files[name] = hashesOf(texts);
    for (const path of imports) {
      const next = importedFile(file, path);
      if (next !== undefined && !isShared(next, main)) waiting.push(next);
    }
  }
  for (const name of stepsAsked(main) ?? STEP_NAMES) {
    const file = stepFile(name);
    const at = `durable-rag/steps/${withoutEnding(basename(file))}`;
    files[at] = { ...files[at], ...hashesOf(usedBy(name, declarationsOf(file).texts)) };
  }
  return {
    version: sha256Of(canonicalJson(files), DIGITS),
    files,
    ...(continues && { continues: [...continues] }),
  };
}

/** Returns the path of the file that declares a step of durable-rag. */
function stepFile(name: string): string {
  const folder = join(PACKAGE_ROOT, 'steps');
  const files = readdirSync(folder).filter((file) => /(?<!\.d)\.[jt]s$/.test(file));
  const declared = new RegExp(`^export const ${name}\\b`, 'm');
  const file = files.find((one) => declared.test(readFileSync(join(folder, one), 'utf8')));
  if (file === undefined) throw new Error(`No file of ${folder} declares the step ${name}.`);
  return join(folder, file);
}

/** Returns the source text of a function without types, comments and white space. */
export function functionCode(value: (...given: never[]) => unknown): string {
  const text = String(value);
  const printed = (code: string) => {
    const { body, print } = parsedText(code, 'a step');
    return body.map(print).join('\n');
  };
  try {
    return printed(`(${text})`);
  } catch {
    // A method of an object, such as "read(reply) { ... }".
    return printed(`({ ${text} })`);
  }
}

/**
 * Returns whether a file is code of durable-rag outside the method's file and a folder of its name.
 */
function isShared(file: string, main: string): boolean {
  if (!SHARED.test(relative(PACKAGE_ROOT, file).split(sep).join('/'))) return false;
  const folder = dirname(main);
  return basename(folder) !== withoutEnding(basename(main)) || dirname(file) !== folder;
}

function withoutEnding(path: string): string {
  return path.slice(0, path.length - extname(path).length);
}

/** Returns the code of a declaration, and of those in its file that it uses, by name. */
function usedBy(name: string, texts: Record<string, string>): Record<string, string> {
  const used: Record<string, string> = {};
  const waiting = [name];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const text = texts[next];
    if (text === undefined || next in used) continue;
    used[next] = text;
    waiting.push(...(text.match(/[A-Za-z_$][\w$]*/g) ?? []));
  }
  return used;
}

function hashesOf(texts: Record<string, string>): Record<string, string> {
  const hashes = Object.entries(texts).map(([name, text]) => [name, sha256Of(text, DIGITS)]);
  return Object.fromEntries(hashes);
}

/** Returns the code of a file's declarations by name, and the relative paths that it imports. */
function declarationsOf(file: string): { texts: Record<string, string>; imports: string[] } {
  const { body, print } = parsedText(readFileSync(file, 'utf8'), file);
  const texts: Record<string, string> = {};
  const imports: string[] = [];
  for (const item of body.flatMap(single)) {
    if ('source' in item && item.source?.value.startsWith('.')) {
      imports.push(item.source.value);
      // TypeScript may import a path with its own extension, or without any.
      const { raw: _, ...source } = item.source;
      item.source = { ...source, value: withoutCodeEnding(item.source.value) };
    }
    const name = nameOf(item);
    texts[name] = `${texts[name] ?? ''}${print(item)}\n`;
  }
  return { texts, imports };
}

function withoutCodeEnding(path: string): string {
  return /\.[cm]?[jt]sx?$/.test(path) ? withoutEnding(path) : path;
}

/**
 * Returns code without its types and comments.
 *
 * @param file Path of the code, for errors.
 * @throws Failure BadInput if it cannot be parsed.
 */
function parsedText(
  text: string,
  file: string,
): { body: ModuleItem[]; print(item: ModuleItem): string } {
  // Loaded only where runs are asked. Temporal's SDK bundles with it.
  const swc: typeof import('@swc/core') = createRequire(import.meta.url)('@swc/core');
  const target = 'es2022';
  try {
    const { code } = swc.transformSync(text, {
      swcrc: false,
      configFile: false,
      isModule: true,
      minify: true,
      jsc: {
        parser: { syntax: 'typescript', tsx: /x$/.test(file), decorators: true },
        target,
        minify: {
          // Builders differ in whether they join statements of a class with parameter properties.
          compress: { defaults: false, sequences: true },
          mangle: false,
          format: { comments: false },
        },
      },
    });
    const { span, interpreter, body } = swc.parseSync(code, { syntax: 'ecmascript', target });
    const print = (item: ModuleItem) => {
      const one: Module = { type: 'Module', body: [item], span, interpreter };
      return swc.printSync(one, { minify: true, jsc: { target } }).code;
    };
    return { body, print };
  } catch (error) {
    // The compiler's message goes on with a stack of its own.
    const [reason] = messageOf(error).split('\n\n');
    throw new Failure('BadInput', `methods: ${file} cannot be read: ${reason?.trim()}`, {
      cause: error,
    });
  }
}

/** Returns one item for each variable of a declaration. */
function single(item: ModuleItem): ModuleItem[] {
  const each = (declaration: VariableDeclaration) =>
    declaration.declarations.map((one) => ({ ...declaration, declarations: [one] }));
  if (item.type === 'VariableDeclaration') return each(item);
  if (item.type !== 'ExportDeclaration') return [item];
  const { declaration } = item;
  if (declaration.type !== 'VariableDeclaration') return [item];
  return each(declaration).map((one) => ({ ...item, declaration: one }));
}

/** Returns the name that a declaration declares. */
function nameOf(item: ModuleItem): string {
  if (item.type.startsWith('ExportDefault')) return 'default';
  const declaration = item.type === 'ExportDeclaration' ? item.declaration : item;
  if (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration') {
    return declaration.identifier.value;
  }
  const [variable] = declaration.type === 'VariableDeclaration' ? declaration.declarations : [];
  return variable?.id.type === 'Identifier' ? variable.id.value : REST;
}
