import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../cli/config-file.js';
import { temporaryFolder } from '../support/folder.js';

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder();
});

const write = (name: string, text: string) => writeFile(join(folder, name), text);

it('finds nothing where there is nothing', async () => {
  expect(await loadConfig(undefined, folder)).toBeUndefined();
});

it('loads TypeScript with what it imports, and sees paths from its folder', async () => {
  await write('name.ts', "export const name: string = 'mine-1';\n");
  await write(
    'durable-rag.config.ts',
    `import { name } from './name.js';
export default { defaultModel: name satisfies string, workflowBundle: './flows.js', prompts: 'own' };
`,
  );
  expect(await loadConfig(undefined, folder)).toEqual({
    defaultModel: 'mine-1',
    workflowBundle: join(folder, 'flows.js'),
    prompts: join(folder, 'own'),
  });
});

it.each(['mts', 'js', 'mjs'])('finds one that ends in %s', async (ending) => {
  await write(`durable-rag.config.${ending}`, "export default { defaultModel: 'm' };\n");
  expect(await loadConfig(undefined, folder)).toEqual({ defaultModel: 'm' });
});

it('takes the one that is named before the one of the folder', async () => {
  await write('durable-rag.config.ts', "export default { defaultModel: 'a' };\n");
  await write('other.ts', "export default { defaultModel: 'b' };\n");
  expect(await loadConfig('other.ts', folder)).toEqual({ defaultModel: 'b' });
});

it('takes every kind of limit', async () => {
  for (const [i, concurrency] of [3, 'auto', { memory: 0.5, cpu: 1 }].entries()) {
    const limits = { concurrency, tokensPerMinute: null, graceSeconds: 0 };
    await write(`${i}.ts`, `export default { limits: ${JSON.stringify(limits)} };\n`);
    expect(await loadConfig(`${i}.ts`, folder)).toEqual({ limits });
  }
});
