/**
 * Finds the steps that a method can ask, with any options and outputs, in the code of its module and
 * of the modules that it imports by relative paths.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { STEP_NAMES } from '../steps/table.js';
import * as shipped from '../workflows/shipped.js';

/** The names that a module imports, and from where. */
interface Imported {
  /** The module path, as the importing module writes it. */
  from: string;
  /** The imported names; '*' for all. */
  names: readonly string[];
}

/** A module and its text. */
interface Source {
  file: string;
  text: string;
  imports: readonly Imported[];
}

const FROM = /(?:^|[;}\n])\s*(?:import|export)\s*([\w$*{][^'"`;]*?)\s*from\s*(["'])([^"'\n]+)\2/g;

/** Returns the imports and re-exports of a module, without types. */
function importsIn(text: string): Imported[] {
  return [...text.matchAll(FROM)].flatMap(([, names = '', , from = '']) => {
    if (/^type\s+[\w{*]/.test(names)) return [];
    const [, listed] = /\{([^}]*)\}/.exec(names) ?? [];
    if (listed === undefined) return [{ from, names: [names.includes('*') ? '*' : 'default'] }];
    const parts = listed.split(',').map((part) => part.trim());
    const taken = parts.filter((part) => part !== '' && !part.startsWith('type '));
    return [{ from, names: taken.map((part) => part.split(/\s+as\s+/)[0] ?? part) }];
  });
}

/** Returns the absolute path of a module that is given as a path or a file URL. */
export function moduleFile(module: string): string {
  return module.startsWith('file:') ? fileURLToPath(module) : resolve(module);
}

/** Replacements for the end of an import path: TypeScript may import the name of the built file. */
const ENDINGS: readonly [RegExp, string][] = [
  [/$/, ''],
  [/\.js$/, '.ts'],
  [/\.mjs$/, '.mts'],
  [/$/, '.ts'],
  [/$/, '.js'],
];

/**
 * Returns the path of the existing file to which a relative import refers, with or without an
 * ending; undefined if there is none.
 *
 * @param from Path of the importing file.
 */
export function importedFile(from: string, path: string): string | undefined {
  const target = resolve(dirname(from), path);
  const files = ENDINGS.map(([ending, other]) => target.replace(ending, other));
  return files.find((file) => /\.[cm]?[jt]sx?$/.test(file) && existsSync(file));
}

const COMMENTS = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

/** Path of this package. */
const PACKAGE_ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** Matches paths of shared code, which asks no step by itself. */
const TOOLS = /^(?:core|report|steps|workflows[\\/](?!methods[\\/]))/;

/**
 * Returns an array of a module and all modules that it imports, directly or not, by relative
 * paths, each with its path (`file`), its `text` without comments, and its `imports`. Shared code
 * of durable-rag, which asks no step by itself, is left out.
 */
export function sourcesFrom(module: string): Source[] {
  const found = new Map<string, Source>();
  function add(file: string): void {
    if (found.has(file) || TOOLS.test(relative(PACKAGE_ROOT, file))) return;
    const text = readFileSync(file, 'utf8').replace(COMMENTS, '');
    const imports = importsIn(text);
    found.set(file, { file, text, imports });
    for (const { from } of imports) {
      const next = from.startsWith('.') ? importedFile(file, from) : undefined;
      if (next !== undefined) add(next);
    }
  }
  add(moduleFile(module));
  return [...found.values()];
}

/** "step.read", "asked.step.read" */
const ASKED = /\bstep\s*\??\.\s*(\w+)/g;
/** "{ step: { read, retrieve } }", "const { read, retrieve } = asked.step" */
const TAKEN = /\bstep\s*:\s*\{([^}]*)\}|\{([^}]*)\}\s*=\s*(?:\w+\.)?step\b/g;
/** Matches "step[name]", which may be any step. */
const ANY = /\bstep\s*\[/;

/**
 * Returns the names of the shipped steps that a method's code asks through `step`, in the order of
 * `STEP_NAMES`, including those of shipped methods that it runs. Undefined if its module cannot be
 * read, or if it computes the names of steps.
 */
export function stepsAsked(module: string): readonly string[] | undefined {
  try {
    const sources = sourcesFrom(module);
    if (sources.some(({ text }) => ANY.test(text))) return undefined;
    const found = new Set(sources.flatMap(({ text }) => namesIn(text)));
    const run = sources.flatMap(({ imports }) => imports.flatMap(methodsOf));
    for (const { module: inner } of run) {
      for (const name of (inner && stepsAsked(inner)) ?? []) found.add(name);
    }
    return STEP_NAMES.filter((name) => found.has(name));
  } catch {
    return undefined;
  }
}

function namesIn(text: string): string[] {
  const asked = [...text.matchAll(ASKED)].map(([, name = '']) => name);
  const taken = [...text.matchAll(TAKEN)].flatMap(([, one = '', other = '']) =>
    [...`${one},${other}`.matchAll(/(\w+)\s*(?=[,:]|$)/g)].map(([, name = '']) => name),
  );
  return [...asked, ...taken];
}

/** Returns the shipped methods that an import from this package names. */
function methodsOf({ from, names }: Imported): { module?: string | undefined }[] {
  if (!from.startsWith('durable-rag')) return [];
  return Object.entries(shipped)
    .filter(([name]) => names.includes(name))
    .map(([, method]) => method);
}
