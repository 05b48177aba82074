/** What tells one version of a method from another, and what does not. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { functionCode, methodCode } from '../../interpreters/method-code.js';
import { methods } from '../../interpreters/methods.js';
import { temporaryFolder } from '../support/folder.js';

const WRITTEN = {
  'twice.ts': `/** Looks twice. */
import { z } from 'zod';
import type { Reading } from './types.js';
import { Unused } from './types.js';
import { joined } from './parts/joined.ts';
import { limit } from './parts/limit';

interface Asked extends Unused { question: string; }

/** How often. */
export const times: number = 2, words = ["a", 'b'] as const;
export class Looks<T> {
  seen?: T;
  constructor(private readonly first: T, count = 1) {
    super();
    this.seen = (first as any)!;
  }
}
// A line comment with "quotes" and /* another */ in it.
export async function look({ question }: Asked): Promise<Reading> {
  const pattern = /\\/\\/ no comment/g; // a comment
  return (await joined<Reading>(question satisfies string, \`\${times} // none\`, limit))!;
}
export default z.object({});
`,
  'parts/joined.ts': `export const joined = async <T>(...texts: (string | number)[]): Promise<T> => texts.join(' ') as T;\n`,
  'parts/limit.ts': 'export const limit = 1_000;\n',
  'types.ts': 'export interface Reading { answer: string }\nexport interface Unused {}\n',
};

/** As a compiler builds it, without the comments and with a style of its own. */
const BUILT = {
  'twice.js': `import { z } from "zod";
import { joined } from "./parts/joined.js";
import { limit } from './parts/limit.js';
export const times = 2, words = ['a', "b"];
export class Looks {
    first;
    seen;
    constructor(first, count = 1) {
        super();
        this.first = first;
        this.seen = first;
    }
}
export async function look({ question }) {
    const pattern = /\\/\\/ no comment/g;
    return (await joined(question, \`\${times} // none\`, limit));
}
export default z.object({});
//# ${'sourceMappingURL'}=twice.js.map
`,
  'parts/joined.js': "export const joined = async (...texts) => texts.join(' ');\n",
  'parts/limit.js': 'export const limit = 1_000;\n',
};

/** Hashes the code of the method in the first of these files, in a folder of their own. */
async function codeOf(files: Record<string, string>) {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const code = methodCode({ module: join(folder, Object.keys(files)[0] ?? '') });
  if (!code) throw new Error('There is no code.');
  return code;
}

/** The declarations of which the hashes differ. */
async function changed(edit: (files: typeof WRITTEN) => Record<string, string>) {
  const [there, here] = [await codeOf(WRITTEN), await codeOf(edit(WRITTEN))];
  expect(there.version === here.version).toBe(
    JSON.stringify(there.files) === JSON.stringify(here.files),
  );
  const names = new Set([...Object.keys(there.files), ...Object.keys(here.files)]);
  return [...names].flatMap((file) => {
    const [a = {}, b = {}] = [there.files[file], here.files[file]];
    const declared = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...declared].filter((name) => a[name] !== b[name]).map((name) => `${file} ${name}`);
  });
}

it('is the same as it was written and as it was built', async () => {
  const built = await codeOf(BUILT);
  expect(await codeOf(WRITTEN)).toEqual(built);
  expect(Object.keys(built.files)).toEqual(
    expect.arrayContaining(['twice', 'parts/joined', 'parts/limit']),
  );
  expect(Object.keys(built.files.twice ?? {}).sort()).toEqual(
    ['(rest)', 'Looks', 'default', 'look', 'times', 'words'].sort(),
  );
});

it.each<[string, (files: typeof WRITTEN) => Record<string, string>, string[]]>([
  [
    'comments, blanks and types',
    (files) => ({
      ...files,
      'twice.ts': files['twice.ts']
        .replace('/** How often. */', '/* Another. */\n\n\n')
        .replace('interface Asked extends Unused {', 'interface Asked extends Unused { more: 1;')
        .replaceAll('  ', '\t'),
      'types.ts': 'export type Reading = never;\nexport type Unused = object;\n',
    }),
    [],
  ],
  [
    'a file that it imports',
    (files) => ({ ...files, 'parts/limit.ts': 'export const limit = 1_001;\n' }),
    ['parts/limit limit'],
  ],
  [
    'one function',
    (files) => ({ ...files, 'twice.ts': files['twice.ts'].replace('// none', '//  none') }),
    ['twice look'],
  ],
  [
    'one of two variables',
    (files) => ({ ...files, 'twice.ts': files['twice.ts'].replace("'b'", "'c'") }),
    ['twice words'],
  ],
  [
    'what an import leads to',
    (files) => ({ ...files, 'twice.ts': files['twice.ts'].replace('joined.ts', 'limit.ts') }),
    ['twice (rest)', 'parts/joined joined'],
  ],
])('%s', async (_, edit, expected) => {
  expect((await changed(edit)).sort()).toEqual([...expected].sort());
});

it('of a method that ships has its own files and those of its steps, and none that methods share', () => {
  const steps = 'durable-rag/steps/';
  const { files: base = {} } = methods.base.code() ?? {};
  expect(Object.keys(base)).toEqual(['base', `${steps}llatrieval`, `${steps}readers`]);
  expect(base[`${steps}readers`]).toHaveProperty('read');
  // Of the other steps of that file it is none.
  expect(base[`${steps}llatrieval`]).toHaveProperty('answerWithCitations');
  expect(base[`${steps}llatrieval`]).not.toHaveProperty('verifyScore');
  const { files = {} } = methods.sure.code() ?? {};
  const own = Object.keys(files).filter((name) => !name.startsWith(steps));
  expect(own.length).toBeGreaterThan(1);
  for (const name of own) expect(name).not.toContain('/');
  expect(files[`${steps}sure`]).toHaveProperty('rankPair');
  expect(Object.keys(files)).not.toContain(`${steps}genread`);
});

it("of a method of one's own has the steps of durable-rag that it asks", async () => {
  const asks = 'export const once = async ({ step }) => step.rankPair({});\n';
  const { files } = await codeOf({ 'once.ts': asks });
  expect(Object.keys(files)).toEqual(['once', 'durable-rag/steps/sure']);
  const { files: none } = await codeOf({ 'none.ts': 'export const none = 1;\n' });
  expect(Object.keys(none)).toEqual(['none']);
});

it.each([
  ['an arrow', "(text) => text.trim() === 'a'", '( text )=>text.trim()===/* so */"a"'],
  ['a method', "read(text) { return text + 'a'; }", 'read( text ){ // both\n return text + "a" }'],
  ['a function', "async function f() { return 'a'; }", 'async function f(){return "a"}'],
])('of a function is the same however it is laid out: %s', (kind, one, other) => {
  const codeOfText = (text: string) => {
    const made = kind === 'a method' ? `({ ${text} }).read` : `(${text})`;
    return functionCode(new Function(`return ${made}`)());
  };
  expect(codeOfText(one)).toBe(codeOfText(other));
  expect(codeOfText(one)).not.toBe(codeOfText(one.replace("'a'", "'b'")));
});

it('of every method that ships is the same in the sources and in the build', () => {
  for (const [name, { module = '', code }] of Object.entries(methods)) {
    const built = module.replace('/workflows/', '/dist/workflows/').replace(/\.ts$/, '.js');
    expect(methodCode({ module: built }), name).toEqual(code());
  }
});

it('is unknown without a file, and refused where it cannot be parsed', async () => {
  expect(methodCode({})).toBeUndefined();
  expect(methodCode({ module: '/nowhere/twice.ts' })).toBeUndefined();
  await expect(codeOf({ 'twice.ts': 'export const = ;' })).rejects.toThrow(
    /^methods: .*twice\.ts cannot be read: /,
  );
});
