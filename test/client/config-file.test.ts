import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../client/cli/config-file.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'durable-rag-config-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
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
export default { defaultModel: name satisfies string, workflows: './flows.ts', prompts: 'own' };
`,
  );
  expect(await loadConfig(undefined, folder)).toEqual({
    defaultModel: 'mine-1',
    workflows: join(folder, 'flows.ts'),
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

it.each([
  ['export default {', /durable-rag\.config\.ts cannot be loaded: /],
  ["import './gone.js'; export default {};", /durable-rag\.config\.ts cannot be loaded: .*gone/],
  ['export const config = {};', /durable-rag\.config\.ts: export default defineConfig/],
  [
    'export default { metods: [] };',
    /config\.ts: there is no option "metods"; did you mean methods/,
  ],
])('names the file that is wrong: %s', async (text, message) => {
  await write('durable-rag.config.ts', text);
  await expect(loadConfig(undefined, folder)).rejects.toThrow(message);
  await expect(loadConfig('gone.ts', folder)).rejects.toThrow(/--config: there is no file .*gone/);
});
