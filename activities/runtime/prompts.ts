/** Where prompts come from: the shipped files, or a folder of the user's own. */
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../methods/failure.js';
import { packageRoot } from '../../stores/package-root.js';
import { parseTemplate, type Template } from './template.js';

export interface PromptLibrary {
  /**
   * The template of a step in a prompt set; what the set does not have is taken from the shipped
   * prompts.
   *
   * @throws Failure BadInput when there is no such set or no such prompt.
   */
  load(set: string, prompt: string): Promise<Template>;
  /**
   * By file the hashes of the templates that a prompt set gives.
   *
   * @throws Failure BadInput when there is no such set.
   */
  hashes(set: string): Promise<Record<string, string>>;
}

/**
 * The shipped prompts, which are the set "default", and those that somebody brings.
 *
 * @param overrides folder with a folder for each further set.
 * @param own prompts of somebody's own steps by name; a set can have a file for each of them too.
 * @throws Failure BadInput where one of them has the name of a shipped one.
 */
export function createPromptLibrary(
  overrides?: string,
  own: Readonly<Record<string, string>> = {},
): PromptLibrary {
  const shipped = join(packageRoot(), 'prompts');
  const taken = Object.keys(own).find((name) => existsSync(join(shipped, `${name}.txt`)));
  if (taken !== undefined) {
    throw new Failure('BadInput', `There is a prompt "${taken}" already; rename your step's.`);
  }
  const loaded = new Map<string, Promise<Template>>();

  async function find(set: string, prompt: string): Promise<Template> {
    const name = `${prompt}.txt`;
    if (set !== 'default') {
      const text = await readIfThere(join(await folderOf(set, overrides), name));
      if (text !== undefined) return parseTemplate(`${set}/${name}`, text);
    }
    const content = own[prompt] ?? (await readIfThere(join(shipped, name)));
    if (content === undefined) throw new Failure('BadInput', `There is no prompt ${name}.`);
    return parseTemplate(name, content);
  }

  function load(set: string, prompt: string): Promise<Template> {
    const key = `${set}/${prompt}`;
    const template = loaded.get(key) ?? find(set, prompt);
    loaded.set(key, template);
    template.catch(() => loaded.delete(key));
    return template;
  }

  return {
    load,
    async hashes(set) {
      const names = Object.keys(own).map((name) => `${name}.txt`);
      const files = (await readdir(shipped)).filter((file) => file.endsWith('.txt'));
      const hashed = [...files, ...names].sort().map(async (file) => {
        const { hash } = await load(set, file.slice(0, -'.txt'.length));
        return [file, hash] as const;
      });
      return Object.fromEntries(await Promise.all(hashed));
    },
  };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function folderOf(set: string, overrides: string | undefined): Promise<string> {
  if (overrides === undefined) {
    throw new Failure(
      'BadInput',
      `prompts: the worker has no prompt set "${set}"; set DURABLE_RAG_PROMPTS to a folder that holds a folder "${set}".`,
    );
  }
  const folder = join(overrides, set);
  const isFolder = /^[\w-]+$/.test(set) && (await stat(folder).catch(() => null))?.isDirectory();
  if (isFolder) return folder;
  throw new Failure('BadInput', `prompts: there is no folder "${set}" in DURABLE_RAG_PROMPTS.`);
}
