/**
 * Which steps a method can ask, whatever its options and the outputs: read from its module and from
 * the modules of the same package that it imports.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { STEP_NAMES } from '../steps/table.js';
import * as shipped from '../workflows/shipped.js';

/** What a module imports by name, and from where. */
export interface Imported {
  /** As the importing module writes it. */
  from: string;
  /** The names in that module; '*' for all of it. */
  names: readonly string[];
}

/** A module, and what it says. */
interface Source {
  file: string;
  text: string;
  imports: readonly Imported[];
}

const FROM = /(?:^|[;}\n])\s*(?:import|export)\s*([\w$*{][^'"`;]*?)\s*from\s*(["'])([^"'\n]+)\2/g;

/** Returns what a module imports, or exports from elsewhere, but for types. */
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

/** Returns the path of a module that is given as a path or a file URL. */
export function moduleFile(module: string): string {
  return module.startsWith('file:') ? fileURLToPath(module) : resolve(module);
}

/** What a path of an import may stand for: TypeScript names what it becomes. */
const ENDINGS: readonly [RegExp, string][] = [
  [/$/, ''],
  [/\.js$/, '.ts'],
  [/\.mjs$/, '.mts'],
  [/$/, '.ts'],
  [/$/, '.js'],
];

/** Returns the file that a relative import leads to; undefined if it is not there. */
export function importedFile(from: string, path: string): string | undefined {
  const target = resolve(dirname(from), path);
  const files = ENDINGS.map(([ending, other]) => target.replace(ending, other));
  return files.find((file) => /\.[cm]?[jt]sx?$/.test(file) && existsSync(file));
}

const COMMENTS = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

/** The folder that this package's rooms are in. */
const OURS = dirname(dirname(fileURLToPath(import.meta.url)));
/** What its methods are made with, which asks nothing by itself. */
const TOOLS = /^(?:core|report|steps|workflows[\\/](?!methods[\\/]))/;

/** Returns a module and those that it imports by relative paths, each once. */
export function sourcesFrom(module: string): Source[] {
  const found = new Map<string, Source>();
  function add(file: string): void {
    if (found.has(file) || TOOLS.test(relative(OURS, file))) return;
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
/** "step[name]" may be any. */
const ANY = /\bstep\s*\[/;

/**
 * Returns the names of our steps that a method asks through `step`, in their usual order, and those
 * of the methods that ship and that it runs. Undefined if its module is not there to be read, or
 * asks steps by names that it works out.
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

/** Returns the methods that ship of an import from this package. */
function methodsOf({ from, names }: Imported): { module?: string | undefined }[] {
  if (!from.startsWith('durable-rag')) return [];
  return Object.entries(shipped)
    .filter(([name]) => names.includes(name))
    .map(([, method]) => method);
}
