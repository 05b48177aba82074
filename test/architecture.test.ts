/**
 * The plan of the house, read from its imports: floors, circles, who knows whom.
 *
 * An import leads to the same floor or down, that of a type as well.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../stores/package-root.js';

/** From the top down. Rooms of one line are one floor. */
const FLOORS = [
  ['bench', 'cli'],
  ['testing', 'temporal-dev'],
  ['client', 'workers'],
  ['activities', 'interpreters'],
  ['workflows'],
  ['report'],
  ['evaluation'],
  ['retrieval', 'llm'],
  ['stores', 'files'],
  ['steps'],
  ['core'],
];

/**
 * A variable of a module, or something that fills up: a set of what is known from the start is read.
 * So is a pattern that keeps its place, if it is exported: the sandbox freezes it, and matching throws.
 */
const MUTABLE =
  /^export const \w+ = \/.*\/[a-z]*[gy][a-z]*;|^(?:export )?(?:(?:let|var) |const \w+(?:: (?!Readonly)[^=]+)? = (?:new (?:Map|Set|WeakMap|WeakSet)(?:<.*>)?\(\)|\[\]|\{\});)/;

interface Import {
  from: string;
  to: string;
  byType: boolean;
}

const rooms = FLOORS.flat();
const folders = new Set(rooms.map((room) => room.split('/')[0] ?? ''));
const files = [...folders].flatMap((folder) => {
  const path = join(packageRoot(), folder);
  const inside = existsSync(path) ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : [];
  return inside.filter((file) => file.endsWith('.ts')).map((file) => join(folder, file));
});
const known = new Set(files);
const texts = new Map(
  files.map((file) => [file, readFileSync(join(packageRoot(), file), 'utf8')] as const),
);
const statements = files.flatMap((file) => statementsOf(file, texts.get(file) ?? ''));
const imports = statements.flatMap(({ from, module, byType }): Import[] => {
  const to = normalize(join(from, '..', module)).replace(/\.js$/, '.ts');
  return module.startsWith('.') && known.has(to) ? [{ from, to, byType }] : [];
});

/** What a file imports, exports from elsewhere, or loads when it is called. */
function statementsOf(from: string, text: string) {
  const declared =
    /^(?:import|export)\s+(type\s+)?(?:(\{[^}]*\}|[^'";{]*(?:\{[^}]*\})?)\s*from\s+)?'([^']+)'/gm;
  const found = [...text.matchAll(declared)].map(([, type, names = '', module = '']) => ({
    from,
    module,
    byType: type !== undefined || areTypes(names),
  }));
  const loaded = [...text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, module = '']) => ({
    from,
    module,
    byType: false,
  }));
  return [...found, ...loaded];
}

/** "{ type A, type B }" */
function areTypes(names: string): boolean {
  const [, listed] = /^\{([^}]*)\}$/.exec(names.trim()) ?? [];
  const parts = (listed ?? '').split(',').map((part) => part.trim());
  const given = parts.filter((part) => part !== '');
  return given.length > 0 && given.every((part) => part.startsWith('type '));
}

/** The longest name of a room that the file lies in. */
function roomOf(file: string): string {
  const found = rooms.filter((room) => file.startsWith(`${room}/`));
  return found.sort((a, b) => b.length - a.length)[0] ?? '';
}

const floorOf = (room: string) => FLOORS.findIndex((floor) => floor.includes(room));
const shown = ({ from, to, byType }: Import) => `${from} -> ${to}${byType ? ' (type)' : ''}`;

it('reads imports', () => {
  expect(imports.length).toBeGreaterThan(1000);
  const text = [
    "import type { A } from './a.js';",
    "import {\n  type B,\n  type C,\n} from './b.js';",
    "import { type D, e } from './d.js';",
    "import * as f from 'node:f';",
    "export { type G } from './g.js';",
    "import './h.js';",
    "const i = () => import('./i.js');",
  ].join('\n');
  expect(statementsOf('x.ts', text).map(({ module, byType }) => [module, byType])).toEqual([
    ['./a.js', true],
    ['./b.js', true],
    ['./d.js', false],
    ['node:f', false],
    ['./g.js', true],
    ['./h.js', false],
    ['./i.js', false],
  ]);
});

it('leads down, or stays on its floor', () => {
  const up = imports.filter(({ from, to }) => floorOf(roomOf(to)) < floorOf(roomOf(from)));
  expect(up.map(shown)).toEqual([]);
});

it('goes in no circle, not even by types', () => {
  const next = new Map<string, string[]>(files.map((file) => [file, []]));
  for (const { from, to } of imports) next.get(from)?.push(to);
  const done = new Set<string>();
  const circles: string[] = [];
  function visit(file: string, path: readonly string[]): void {
    if (path.includes(file)) {
      circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      return;
    }
    if (done.has(file)) return;
    for (const to of next.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  }
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

it('keeps what a laptop needs to the command line', () => {
  const others = imports.filter(
    ({ from, to }) =>
      roomOf(to) === 'temporal-dev' && !['temporal-dev', 'cli', 'bench'].includes(roomOf(from)),
  );
  expect(others.map(shown)).toEqual([]);
});

it('lets workflows import no module of Node', () => {
  const node = statements.filter(
    ({ from, module, byType }) =>
      roomOf(from) === 'workflows' &&
      !byType &&
      (module.startsWith('node:') || builtinModules.includes(module)),
  );
  expect(node).toEqual([]);
});

it('keeps no state in the modules that workflows load, which all questions share', () => {
  const loaded = new Set(files.filter((file) => roomOf(file) === 'workflows'));
  for (const file of loaded) {
    for (const { from, to, byType } of imports) if (from === file && !byType) loaded.add(to);
  }
  const variables = [...loaded].flatMap((file) =>
    (texts.get(file) ?? '')
      .split('\n')
      .filter((line) => MUTABLE.test(line))
      .map((line) => `${file}: ${line}`),
  );
  expect(loaded.size).toBeGreaterThan(100);
  expect(variables).toEqual([]);
});

it('follows one question in the docs: each of at most 40 files is called by one before it, none twice or higher', () => {
  const docs = readFileSync(join(packageRoot(), 'docs', 'architecture.md'), 'utf8');
  const [, section = ''] = docs.split('## One question');
  const parts = [...section.matchAll(/^\d+\. (.*)$/gm)].flatMap(([, line = '']) => line.split(';'));
  const walk = parts.map((part) =>
    [...part.matchAll(/`(\w+\/[\w/-]+\.ts)`/g)].map(([, file]) => file),
  );
  const steps = walk.flatMap((path) =>
    path.slice(1).map((to, i) => ({ to, before: path.slice(0, i + 1) })),
  );
  const uncalled = steps.filter(
    ({ to, before }) => !imports.some((one) => one.to === to && before.includes(one.from)),
  );
  expect(uncalled).toEqual([]);
  expect(walk.flat().filter((file) => !known.has(file ?? ''))).toEqual([]);
  expect(new Set(walk.flat()).size).toBe(walk.flat().length);
  expect(walk.flat().length).toBeLessThanOrEqual(40);
  const higher = walk.flatMap((path) =>
    path.slice(1).filter((to, i) => floorOf(roomOf(to ?? '')) < floorOf(roomOf(path[i] ?? ''))),
  );
  expect(higher).toEqual([]);
});
