import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { command } from '../../core/command.js';
import { codeOf, Failure } from '../../core/failure.js';
import { slipOf, suggestion } from '../../core/options/nearest.js';
import { REFUSALS, UNKNOWN_WORDS } from '../../core/unknown.js';
import { type ContentStore, contentId } from '../../stores/content-store.js';
import { packageRoot } from '../../stores/package-root.js';
import { readTextFile } from '../../stores/text-file.js';
import { parseTemplate, type Template } from './template.js';

export interface PromptLibrary {
  /**
   * The template of a step in a prompt set; what the set does not have is taken from the shipped
   * prompts.
   *
   * @param set Its name: the files as they are now. With what `pin` has made of it: as they were.
   * What is pinned and no longer in the store is put there again where the files are as they were.
   *
   * @throws Failure BadInput when there is no such set or no such prompt; UnknownText where a pinned
   * one is lost.
   */
  load(set: string, prompt: string): Promise<Template>;
  /**
   * By file the hashes of the templates that a prompt set gives now.
   *
   * @throws Failure BadInput when there is no such set.
   */
  hashes(set: string): Promise<Record<string, string>>;
  /**
   * The name of a prompt set as its files are now, for every worker of the same store: a question
   * keeps what it began with, whatever becomes of the files.
   *
   * @throws Failure BadInput when there is no such set.
   */
  pin(set: string): Promise<string>;
}

/** The contents of a set's files by name, those of the shipped ones that it does not have included. */
type Contents = Record<string, string>;

interface PromptSet {
  /** Another one when a file has changed. */
  stamp: string;
  contents: Contents;
  templates: Map<string, Template>;
  /** Under which it is kept, once it is. */
  pinned?: Promise<string>;
}

/** The lists that a set can bring; an empty file is an empty list. */
const LISTS: Contents = {
  'unknown.txt': UNKNOWN_WORDS.join('\n'),
  'refusals.txt': REFUSALS.join('\n'),
};
/** Between the name of a set and what it is pinned to; no set has it in its name. */
const PIN = '@';
/** Questions that begin within so long share one look at the files. */
const LOOK_MS = 200;

/**
 * Returns the shipped prompts, which are the set "default", and those that somebody brings. A file
 * that has changed is read again.
 *
 * @param overrides folder with a folder for each further set.
 * @param own prompts of somebody's own steps by name; a set can have a file for each of them too.
 * @param kept where pinned sets are kept; without it `pin`, and `load` of a pinned set, throw
 *   Failure BadInput.
 * @throws Failure BadInput where one of them has the name of a shipped one.
 */
export function createPromptLibrary(
  overrides?: string,
  own: Readonly<Record<string, string>> = {},
  kept?: ContentStore,
): PromptLibrary {
  const shipped = join(packageRoot(), 'prompts');
  const taken = Object.keys(own).find((name) => existsSync(join(shipped, `${name}.txt`)));
  if (taken !== undefined) {
    throw new Failure('BadInput', `There is a prompt "${taken}" already; rename your step's.`);
  }
  const looks = new Map<string, { at: number; set: Promise<PromptSet> }>();
  const pinnedSets = new Map<string, Promise<PromptSet>>();

  /** Returns the set as its files are now. */
  function current(name: string): Promise<PromptSet> {
    const last = looks.get(name);
    if (last && Date.now() - last.at < LOOK_MS) return last.set;
    const set = lookAgain(name, last?.set);
    looks.set(name, { at: Date.now(), set });
    set.catch(() => looks.delete(name));
    return set;
  }

  async function lookAgain(name: string, last?: Promise<PromptSet>): Promise<PromptSet> {
    const folder = name === 'default' ? undefined : await folderOf(name, overrides);
    const folders = folder === undefined ? [shipped] : [shipped, folder];
    const stamp = (await Promise.all(folders.map(stampOf))).join();
    const before = await last?.catch(() => undefined);
    if (before?.stamp === stamp) return before;
    const defaults = await contentsOf(shipped, await promptFiles(shipped));
    const brought = Object.entries(own).map(([prompt, text]) => [`${prompt}.txt`, text]);
    const contents: Contents = {
      ...defaults,
      ...LISTS,
      ...Object.fromEntries(brought),
    };
    const overriding: Contents = {};
    if (folder !== undefined) {
      const files = await promptFiles(folder);
      // A file of another name is nobody's prompt, unless it is almost one.
      for (const file of files) refuseSlip(name, file, Object.keys(contents));
      const known = files.filter((file) => file in contents);
      Object.assign(overriding, await contentsOf(folder, known));
    }
    const all = { ...contents, ...overriding };
    const templates = templatesOf(all, (file) => (file in overriding ? `${name}/${file}` : file));
    return { stamp, contents: all, templates };
  }

  function pinned(name: string, id: string): Promise<PromptSet> {
    const set = pinnedSets.get(id) ?? readPinned(name, id);
    pinnedSets.set(id, set);
    set.catch(() => pinnedSets.delete(id));
    return set;
  }

  async function readPinned(name: string, id: string): Promise<PromptSet> {
    const text = await storeOf(kept)
      .get(id)
      .catch((error: unknown) => putAgain(name, id, error));
    const contents = JSON.parse(text) as Contents;
    return { stamp: id, contents, templates: templatesOf(contents) };
  }

  /** Puts a set that the store has lost there again. @throws Failure UnknownText where its files have changed. */
  async function putAgain(name: string, id: string, error: unknown): Promise<string> {
    if (!(error instanceof Failure && error.type === 'UnknownText')) throw error;
    const now = await current(name).catch(() => undefined);
    const text = JSON.stringify(now?.contents ?? null);
    if (contentId(text) !== id) {
      throw new Failure(
        'UnknownText',
        `prompts: the set "${name}" is not in the store as it was when the question began, and its files are other ones now. Put them back, or ask the question again as a whole (of a run: ${command('resume', 'RUN')}). ${error.message}`,
      );
    }
    await storeOf(kept).put(text);
    return text;
  }

  return {
    async load(set, prompt) {
      const [name = '', id] = set.split(PIN);
      const { templates } = await (id === undefined ? current(name) : pinned(name, id));
      const template = templates.get(`${prompt}.txt`);
      if (template) return template;
      throw new Failure('BadInput', `There is no prompt ${prompt}.txt.`);
    },
    async hashes(set) {
      const { templates } = await current(set);
      const files = [...templates].map(([file, { hash }]) => [file, hash] as const);
      return Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)));
    },
    async pin(name) {
      const set = await current(name);
      set.pinned ??= storeOf(kept).put(JSON.stringify(set.contents));
      set.pinned.catch(() => delete set.pinned);
      const id = await set.pinned;
      pinnedSets.set(id, Promise.resolve(set));
      return `${name}${PIN}${id}`;
    },
  };
}

/** @throws Failure BadInput for a file whose name is a typo of a prompt's: it would have no effect. */
function refuseSlip(set: string, file: string, known: readonly string[]): void {
  const meant = slipOf(
    file.replace(/\.txt$/, ''),
    known.map((name) => name.replace(/\.txt$/, '')),
  );
  if (meant === undefined) return;
  throw new Failure(
    'BadInput',
    `prompts: ${set}/${file} is no prompt; did you mean ${meant}.txt? Rename it, or give a file that is none another ending.`,
  );
}

function storeOf(kept: ContentStore | undefined): ContentStore {
  if (kept) return kept;
  throw new Failure(
    'BadInput',
    'prompts: this library has no store to keep prompt sets in, so no question can begin with one. Give createPromptLibrary a content store.',
  );
}

function templatesOf(contents: Contents, nameOf = (file: string) => file): Map<string, Template> {
  return new Map(
    Object.entries(contents).map(([file, text]) => [file, parseTemplate(nameOf(file), text)]),
  );
}

async function promptFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith('.txt')).sort();
}

/** Changes with every file that is written, added or removed. */
async function stampOf(folder: string): Promise<string> {
  const files = await promptFiles(folder);
  const stats = await Promise.all(
    files.map((file) => stat(join(folder, file), { bigint: true }).catch(() => undefined)),
  );
  return files.map((file, i) => `${file}:${stats[i]?.mtimeNs}:${stats[i]?.size}`).join();
}

async function contentsOf(folder: string, files: readonly string[]): Promise<Contents> {
  const texts = files.map(async (file) => [file, await promptIn(join(folder, file))] as const);
  return Object.fromEntries(await Promise.all(texts));
}

/** @throws Failure BadInput for a file that asks nothing, or would ask with damaged characters. */
async function promptIn(file: string): Promise<string> {
  const text = await readTextFile(file).catch((cause: unknown) => {
    throw new Failure('BadInput', `prompts: ${file} cannot be read (${codeOf(cause)}).`, { cause });
  });
  if (text.trim() !== '' || basename(file) in LISTS) return text;
  throw new Failure('BadInput', `prompts: ${file} is empty: write the prompt, or delete the file.`);
}

async function folderOf(set: string, overrides: string | undefined): Promise<string> {
  if (overrides === undefined) {
    throw new Failure(
      'BadInput',
      `prompts: the worker has no prompt set "${set}"; set DURABLE_RAG_PROMPTS, or prompts of its configuration, to a folder that holds a folder "${set}".`,
    );
  }
  const folder = join(overrides, set);
  const isFolder = /^[\w-]+$/.test(set) && (await stat(folder).catch(() => null))?.isDirectory();
  if (isFolder) return folder;
  const entries = await readdir(overrides, { withFileTypes: true }).catch(() => []);
  const sets = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  throw new Failure(
    'BadInput',
    `prompts: there is no folder "${set}" in ${overrides}${suggestion(set, ['default', ...sets])}`,
  );
}
