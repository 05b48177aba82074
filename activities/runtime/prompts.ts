import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { command } from '../../core/command.js';
import { errorCodeOf, Failure } from '../../core/failure.js';
import { NAME_PATTERN, NAME_RULE } from '../../core/name.js';
import { correctedName, suggestion } from '../../core/options/nearest.js';
import { REFUSALS, UNKNOWN_PHRASES } from '../../core/unknown.js';
import { type ContentStore, contentId } from '../../stores/content-store.js';
import { packageRoot } from '../../stores/package-root.js';
import { readTextFile } from '../../stores/text-file.js';
import { parseTemplate, type Template } from './template.js';

/**
 * Reads the prompt sets of a worker by name: their templates and the hashes of these. It can also
 * pin a set, that is, store its present files under a name that stays valid for a question.
 */
export interface PromptLibrary {
  /**
   * Returns the template of a step in a prompt set. Prompts that the set does not have are the
   * shipped ones.
   *
   * @param set Name of the set, for its current files, or a name returned by `pin`, for the files at
   * that time. A pinned set that the store has lost is stored again if its files are unchanged.
   *
   * @throws Failure BadInput if there is no such set or prompt; UnknownText if a pinned one is
   * lost.
   */
  load(set: string, prompt: string): Promise<Template>;
  /**
   * Returns the hashes of a set's templates, by file name; the set's name may be pinned.
   *
   * @throws Failure BadInput if there is no such set.
   */
  hashes(set: string): Promise<Record<string, string>>;
  /**
   * Stores the current files of a prompt set and returns its pinned name, valid for every worker of
   * the same store, so that a question keeps the prompts it began with. A pinned name is returned
   * unchanged.
   *
   * @throws Failure BadInput if there is no such set.
   */
  pin(set: string): Promise<string>;
  /**
   * Stores a copy of a prompt set in which one prompt has another text, and returns its pinned name.
   *
   * @param from Name or pinned name of the original set.
   * @param as Name of the copy, without its key.
   */
  pinWith(from: string, prompt: string, text: string, as: string): Promise<string>;
}

/** Contents of a set's files by name, with the shipped ones for those it does not have. */
type Contents = Record<string, string>;

interface PromptSet {
  /** Names, times and sizes of the set's own files; it changes if one is written, added or removed. */
  stamp: string;
  contents: Contents;
  templates: Map<string, Template>;
  /** Key in the store; undefined until the set is pinned. */
  pinned?: Promise<string>;
}

/** The word lists that a set can replace; an empty file is an empty list. */
const LISTS: Contents = {
  'unknown.txt': UNKNOWN_PHRASES.join('\n'),
  'refusals.txt': REFUSALS.join('\n'),
};
/** Separates the name of a set from its key in the store; no set has it in its name. */
const PIN = '@';
/** Time in milliseconds during which questions share one check of the files. */
const RECHECK_MS = 200;

/**
 * Returns a library of prompt sets: the shipped one, called "default", and those in a folder, whose
 * files are read again if they have changed.
 *
 * @param overrides Folder with a subfolder for each further set.
 * @param own Prompts of custom steps by name, which a set can override too.
 * @param kept Store for pinned sets. Without it `pin`, `pinWith` and reading a pinned set throw
 * Failure BadInput.
 * @throws Failure BadInput if a custom prompt has the name of a shipped one.
 */
export function createPromptLibrary(
  overrides?: string,
  own: Readonly<Record<string, string>> = {},
  kept?: ContentStore,
): PromptLibrary {
  const taken = Object.keys(own).find((name) => existsSync(join(shippedFolder(), `${name}.txt`)));
  if (taken !== undefined) {
    throw new Failure('BadInput', `There is a prompt "${taken}" already; rename your step's.`);
  }
  const checks = new Map<string, { at: number; set: Promise<PromptSet> }>();
  const pinnedSets = new Map<string, Promise<PromptSet>>();

  /** Returns the set as its files are now. */
  function current(name: string): Promise<PromptSet> {
    const last = checks.get(name);
    if (last && Date.now() - last.at < RECHECK_MS) return last.set;
    const set = readAgain(name, last?.set);
    checks.set(name, { at: Date.now(), set });
    set.catch(() => checks.delete(name));
    return set;
  }

  /** Returns the last set if its files are unchanged; otherwise reads them. */
  async function readAgain(name: string, last?: Promise<PromptSet>): Promise<PromptSet> {
    const folder = name === 'default' ? undefined : await folderOf(name, overrides);
    const stamp = folder === undefined ? '' : await stampOf(folder);
    const before = await last?.catch(() => undefined);
    if (before?.stamp === stamp) return before;
    const defaults = await shippedPrompts();
    const brought = Object.entries(own).map(([prompt, text]) => [`${prompt}.txt`, text]);
    const contents: Contents = {
      ...defaults,
      ...LISTS,
      ...Object.fromEntries(brought),
    };
    const overriding: Contents = {};
    if (folder !== undefined) {
      const files = await promptFiles(folder);
      // A file of another name is ignored, unless it is almost a prompt's name.
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

  /** Stores a lost set again. @throws Failure UnknownText if its files have changed. */
  async function putAgain(name: string, id: string, error: unknown): Promise<string> {
    if (!(error instanceof Failure && error.type === 'UnknownText')) throw error;
    const set = await current(name).catch(() => undefined);
    const text = JSON.stringify(set?.contents ?? null);
    if (contentId(text) !== id) {
      throw new Failure(
        'UnknownText',
        `prompts: the set "${name}" is no longer in the store as it was when the question began, and its files have changed. Restore the files, or ask the whole question again (in a run: ${command('resume', 'RUN')}). ${error.message}`,
      );
    }
    await storeOf(kept).put(text);
    return text;
  }

  function setOf(set: string): Promise<PromptSet> {
    const [name = '', id] = set.split(PIN);
    return id === undefined ? current(name) : pinned(name, id);
  }

  return {
    async load(set, prompt) {
      const { templates } = await setOf(set);
      const template = templates.get(`${prompt}.txt`);
      if (template) return template;
      throw new Failure('BadInput', `There is no prompt ${prompt}.txt.`);
    },
    async hashes(set) {
      const { templates } = await setOf(set);
      const files = [...templates].map(([file, { hash }]) => [file, hash] as const);
      return Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)));
    },
    async pin(name) {
      if (name.includes(PIN)) return name;
      const set = await current(name);
      set.pinned ??= storeOf(kept).put(JSON.stringify(set.contents));
      set.pinned.catch(() => delete set.pinned);
      const id = await set.pinned;
      pinnedSets.set(id, Promise.resolve(set));
      return `${name}${PIN}${id}`;
    },
    async pinWith(from, prompt, text, as) {
      const { contents } = await setOf(from);
      const changed = { ...contents, [`${prompt}.txt`]: text };
      return `${as}${PIN}${await storeOf(kept).put(JSON.stringify(changed))}`;
    },
  };
}

const shippedFolder = () => join(packageRoot(), 'prompts');

/** Contents of the shipped prompts, read once: they change only with the package. */
let shipped: Promise<Contents> | undefined;

function shippedPrompts(): Promise<Contents> {
  const folder = shippedFolder();
  shipped ??= promptFiles(folder)
    .then((files) => contentsOf(folder, files))
    .catch((error: unknown) => {
      // A later call reads again.
      shipped = undefined;
      throw error;
    });
  return shipped;
}

/**
 * Refuses a file that would have no effect because its name is almost that of a prompt.
 *
 * @throws Failure BadInput if the file's name looks like a misspelt prompt.
 */
function refuseSlip(set: string, file: string, known: readonly string[]): void {
  const meant = correctedName(
    file.replace(/\.txt$/, ''),
    known.map((name) => name.replace(/\.txt$/, '')),
  );
  if (meant === undefined) return;
  throw new Failure(
    'BadInput',
    `prompts: ${set}/${file} is not the name of a prompt; did you mean ${meant}.txt? Rename it, or use another extension for a file that is not a prompt.`,
  );
}

function storeOf(kept: ContentStore | undefined): ContentStore {
  if (kept) return kept;
  throw new Failure(
    'BadInput',
    'prompts: this library has no store for prompt sets, so no question can begin with one. Give createPromptLibrary a content store.',
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

/** Returns a text that changes if a file is written, added or removed. */
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

/** Reads a prompt. @throws Failure BadInput for a file that is empty or not valid UTF-8. */
async function promptIn(file: string): Promise<string> {
  const text = await readTextFile(file).catch((cause: unknown) => {
    throw new Failure('BadInput', `prompts: ${file} cannot be read (${errorCodeOf(cause)}).`, {
      cause,
    });
  });
  if (text.trim() !== '' || basename(file) in LISTS) return text;
  throw new Failure('BadInput', `prompts: ${file} is empty: write the prompt, or delete the file.`);
}

async function folderOf(set: string, overrides: string | undefined): Promise<string> {
  if (overrides === undefined) {
    throw new Failure(
      'BadInput',
      `prompts: the worker has no prompt set "${set}"; set DURABLE_RAG_PROMPTS, or prompts of its configuration, to a folder with a subfolder "${set}".`,
    );
  }
  const folder = join(overrides, set);
  if (!NAME_PATTERN.test(set)) {
    throw new Failure('BadInput', `prompts: the name of a prompt set ${NAME_RULE}, not "${set}".`);
  }
  if ((await stat(folder).catch(() => null))?.isDirectory()) return folder;
  const entries = await readdir(overrides, { withFileTypes: true }).catch(() => []);
  const sets = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  throw new Failure(
    'BadInput',
    `prompts: there is no folder "${set}" in ${overrides}${suggestion(set, ['default', ...sets])}`,
  );
}
