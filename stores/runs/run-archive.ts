/** Writes a run as one file (.tar.gz of JSON), and imports it on another machine. */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { z } from 'zod';
import { Failure } from '../../core/failure.js';
import { NAME_PATTERN } from '../../core/name.js';
import { firstDifference } from '../../core/object-differences.js';
import { addTally, NO_SUMS } from '../../core/run/sums.js';
import { unknownRun } from '../../core/run/unknown-run.js';
import { addUsage, NO_USAGE } from '../../core/usage.js';
import {
  alteredArchive,
  alteredPart,
  badArchive,
  CONTENTS_FILE,
  DamagedArchive,
  hashesOf,
  packArchive,
  unpackArchive,
  withTemporaryFolder,
} from './archive-file.js';
import { passageIdsOf } from './call-records.js';
import { jsonLinesFile, parseJsonFile, writeJson } from './json-file.js';
import {
  answerRecord,
  archiveRecord,
  manifestRecord,
  markRecord,
  passageRecord,
  questionRecord,
} from './records.js';
import type {
  Mark,
  RunAnswer,
  RunManifest,
  RunNameLock,
  RunQuestion,
  RunStore,
} from './run-store.js';

/** Version of the layout; other versions are refused. */
const VERSION = 2;

const MANIFEST = 'manifest.json';
const QUESTIONS = 'questions.jsonl';
const PASSAGES = 'passages.jsonl';
const ANSWERS = 'answers.jsonl';
const MARKS = 'marks.jsonl';
const PARTS = [CONTENTS_FILE, MANIFEST, QUESTIONS, PASSAGES, ANSWERS, MARKS];
const LAYOUT = { of: 'a run', parts: PARTS };

/** Contents of an archive. */
interface ArchiveSummary {
  run: string;
  questions: number;
  answers: number;
  /** Number of passages whose texts are included. */
  passages: number;
  /** Number of passages that the run names and that no longer exist. */
  missing: number;
}

/** The sources of a run's archive: the run store, and the texts of passages. */
export interface ArchiveSource {
  runs: RunStore;
  /** Returns the texts of passages by id; missing passages are left out. */
  texts(run: RunManifest, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** The stores to which an archive is unpacked. */
interface ArchiveTarget {
  runs: RunStore;
  /** Texts of passages that are stored for one run only. */
  imported: {
    keep(run: string, id: string, text: string): Promise<void>;
    get(run: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
    remove(run: string): Promise<unknown>;
  };
  naming: RunNameLock;
  /** Store for passages that came with questions, from which questions are asked. */
  given: { put(passages: readonly { title: string; text: string }[]): Promise<unknown> };
}

/**
 * Writes the archive of a run, with the texts of its passages; returns the name of the run and the
 * numbers of its `questions`, `answers` and `passages`, and of passages whose text no longer
 * exists (`missing`). The same run gives the same bytes.
 *
 * @throws Failure UnknownRun.
 */
export async function writeRunArchive(
  run: string,
  file: string,
  { runs, texts }: ArchiveSource,
): Promise<ArchiveSummary> {
  const manifest = await runs.manifest(run);
  if (!manifest) throw unknownRun(run);
  return withTemporaryFolder(async (folder) => {
    const counts = { run, questions: 0, answers: 0, passages: 0, missing: 0 };
    const lines = (name: string) => jsonLinesFile<unknown>(join(folder, name), '');
    await lines(QUESTIONS).write(questionsOf(runs, run, counts));
    await lines(ANSWERS).write(counted(answersOf(runs, run), counts));
    const marks = [...(await runs.marks(run)).values()];
    await lines(MARKS).write(marks.sort((a, b) => (a.id < b.id ? -1 : 1)));
    await lines(PASSAGES).write(passagesOf(manifest, { runs, texts }, counts));
    await writeJson(join(folder, MANIFEST), manifest, 2);
    const archive = {
      format: 'durable-rag-run',
      version: VERSION,
      ...counts,
      totals: await totalsOf(answersOf(runs, run)),
      parts: await hashesOf(folder, PARTS),
    };
    await writeJson(join(folder, CONTENTS_FILE), archive, 2);
    await packArchive(folder, file, PARTS);
    return counts;
  });
}

/** Returns how questions ended, their scores and their usage, in total. */
async function totalsOf(
  answers: AsyncIterable<RunAnswer>,
): Promise<z.infer<typeof archiveRecord>['totals']> {
  let sums = NO_SUMS;
  let usage = NO_USAGE;
  for await (const { result, scores, judgement } of answers) {
    const outcome = result?.outcome ?? 'failed';
    sums = addTally(sums, { outcome, scores: { ...scores, ...judgement?.scores } });
    if (result) usage = addUsage(usage, result.usage);
  }
  return { outcomes: sums.outcomes, scores: sums.scores, usage };
}

/** Yields each question with its answer, if it has one. */
async function* asked(runs: RunStore, run: string) {
  for await (const { question } of runs.questions(run)) {
    yield { question, answer: await runs.get(run, question.id) };
  }
}

async function* questionsOf(runs: RunStore, run: string, counts: ArchiveSummary) {
  for await (const { question } of runs.questions(run)) {
    counts.questions++;
    yield question;
  }
}

async function* answersOf(runs: RunStore, run: string) {
  for await (const { answer } of asked(runs, run)) if (answer) yield answer;
}

async function* counted(answers: AsyncIterable<RunAnswer>, counts: ArchiveSummary) {
  for await (const answer of answers) {
    counts.answers++;
    yield answer;
  }
}

/** Yields each passage that the run names, once. */
async function* passagesOf(
  manifest: RunManifest,
  { runs, texts }: ArchiveSource,
  counts: ArchiveSummary,
) {
  const seen = new Set<string>();
  for await (const { question, answer } of asked(runs, manifest.run)) {
    const ids = passageIdsOf(question, answer).filter((id) => !seen.has(id));
    for (const id of ids) seen.add(id);
    const found = ids.length === 0 ? new Map<string, string>() : await texts(manifest, ids);
    for (const [id, text] of ids.map((id) => [id, found.get(id)] as const)) {
      counts[text === undefined ? 'missing' : 'passages']++;
      if (text !== undefined) yield { id, text };
    }
  }
}

/**
 * Imports a run from an archive; returns the name of the run and the numbers of its `questions`,
 * `answers` and `passages`, and of passages that the archive lacks (`missing`). If it is refused,
 * nothing is stored.
 *
 * @param name Name of the run here, if another one.
 * @param onAltered Called for a part that has been changed, and for a total that does not follow
 * from the answers. By default the file is refused.
 * @throws Failure BadInput for a file that is not an archive of a run or is of another version,
 * and for a bad name; Damaged for a damaged one; Conflict if there is a run of that name.
 */
export async function readRunArchive(
  file: string,
  target: ArchiveTarget,
  name?: string,
  onAltered: (damage: DamagedArchive) => void = fail,
): Promise<ArchiveSummary> {
  const { runs, naming } = target;
  return withTemporaryFolder(async (folder) => {
    await unpackArchive(file, folder, LAYOUT);
    const { one, all, ids } = recordsOf(file, folder);
    const {
      format: _,
      version,
      parts,
      totals,
      ...counts
    } = await one(CONTENTS_FILE, archiveRecord);
    if (version !== VERSION) {
      throw badArchive(file, `is of version ${version}; this durable-rag reads ${VERSION}`);
    }
    const altered = await alteredPart(folder, PARTS, parts);
    if (altered) onAltered(alteredArchive(file, altered));
    const kept = await one(MANIFEST, manifestRecord);
    const run = name ?? kept.run;
    if (!NAME_PATTERN.test(run))
      throw badArchive(file, `is of ${JSON.stringify(run)}, no name of a run`);
    const questions = () => all(QUESTIONS, questionRecord);
    const passages = () => all(PASSAGES, passageRecord);
    const answers = () => all(ANSWERS, answerRecord);
    const asked = await ids('question', questions());
    const answered = await ids('answer', answers());
    const texts = await ids('passage', passages());
    const stray = [...answered].find((id) => !asked.has(id));
    if (stray !== undefined) {
      const what = `it has an answer to ${JSON.stringify(stray)}, no question of it`;
      throw new DamagedArchive(file, what, ANSWERS);
    }
    const there = { questions: asked.size, answers: answered.size, passages: texts.size };
    checkCounts(file, CONTENTS_FILE, counts, there);
    checkCounts(file, MANIFEST, kept, { questions: asked.size });
    const other = firstDifference(totals, await totalsOf(answers()), 'totals');
    if (other) {
      const both = `says ${JSON.stringify(other.kept)} for ${other.field}, and ${JSON.stringify(other.computed)} follows`;
      onAltered(new DamagedArchive(file, `${CONTENTS_FILE} ${both}`, CONTENTS_FILE));
    }
    const marks = () => all(MARKS, markRecord);
    const manifest = { ...kept, run, input: { ...kept.input, run } };
    await naming.holding(run, async () => {
      if (await runs.manifest(run)) {
        const what = `There is already a run "${run}"`;
        throw new Failure('Conflict', `${what}: give this one another name with --name.`);
      }
      await putRun({ manifest, questions, passages, answers, marks }, target);
    });
    return { ...counts, run };
  });
}

/** Contents of an archive; each can be read several times. */
interface ArchivedRun {
  manifest: RunManifest;
  questions(): AsyncIterable<RunQuestion>;
  passages(): AsyncIterable<{ id: string; text: string }>;
  answers(): AsyncIterable<RunAnswer>;
  marks(): AsyncIterable<Mark>;
}

/**
 * Stores a run unless there is one of its name; removes it again if it cannot be written
 * completely.
 */
async function putRun(
  { manifest, questions, passages, answers, marks }: ArchivedRun,
  { runs, imported, given }: ArchiveTarget,
): Promise<void> {
  const { run } = manifest;
  const remove = async () => {
    await runs.remove(run);
    await imported.remove(run);
  };
  // Remains of an interrupted import would pass for answers of this one.
  await remove();
  try {
    for await (const { id, text } of passages()) await imported.keep(run, id, text);
    // Forks and retries ask with these passages.
    for await (const { stored = [] } of questions()) {
      const ids = stored.map(({ id }) => id);
      const found = await imported.get(run, ids);
      await given.put(
        stored.flatMap(({ id, title, own }) => {
          const text = found.get(id);
          return text === undefined ? [] : [{ ...own, title, text }];
        }),
      );
    }
    for await (const answer of answers()) await runs.put(run, answer);
    for await (const mark of marks()) await runs.mark(run, mark);
    await runs.begin(run, questions(), () => manifest);
  } catch (error) {
    // The write's own error is thrown even if the run cannot be removed.
    await remove().catch(() => {});
    throw error;
  }
}

function fail(damage: DamagedArchive): never {
  throw damage;
}

function checkCounts<K extends string>(
  file: string,
  name: string,
  said: Readonly<Record<NoInfer<K>, number>>,
  there: Readonly<Record<K, number>>,
): void {
  for (const what in there) {
    if (said[what] === there[what]) continue;
    const both = `${name} says ${said[what]} ${what}, and ${there[what]} are there`;
    throw new DamagedArchive(file, both, name);
  }
}

/** Returns readers for the records of an unpacked archive. */
function recordsOf(file: string, folder: string) {
  const advice = `Make ${basename(file)} anew.`;

  function checked<T>(name: string, schema: z.ZodType<T>, value: unknown): T {
    const parsed = schema.safeParse(value);
    // The original value keeps the fields of later versions.
    if (parsed.success) return value as T;
    const [issue] = parsed.error.issues;
    const where = issue?.path.join('.') || 'top level';
    throw new DamagedArchive(file, `${name}, ${where}: ${issue?.message}`, name);
  }

  return {
    async one<T>(name: string, schema: z.ZodType<T>): Promise<T> {
      const text = await readFile(join(folder, name), 'utf8');
      return checked(name, schema, parseJsonFile(text, `${file}/${name}`, advice));
    },
    async *all<T>(name: string, schema: z.ZodType<T>): AsyncGenerator<T> {
      for await (const { record } of jsonLinesFile<unknown>(join(folder, name), advice).read(0)) {
        yield checked(name, schema, record);
      }
    },
    /** Returns the ids of records, which must be unique. */
    async ids(what: string, records: AsyncIterable<{ id: string }>): Promise<Set<string>> {
      const ids = new Set<string>();
      for await (const { id } of records) {
        if (ids.has(id)) {
          throw new DamagedArchive(file, `it has the ${what} ${JSON.stringify(id)} twice`);
        }
        ids.add(id);
      }
      return ids;
    },
  };
}
