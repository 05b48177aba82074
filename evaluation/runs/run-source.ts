/** Reads the questions and answers of runs, alone or side by side. */
import { unknownRun } from '../../core/run/unknown-run.js';
import type { StudyCell } from '../../core/study/cell.js';
import type {
  Mark,
  RunAnswer,
  RunManifest,
  RunQuestion,
  RunStore,
} from '../../stores/runs/run-store.js';
import { studyCells } from '../study/study-of.js';
import { datasetHashOf } from './run-identity.js';

/** A run, or a part of one, whose manifest, questions and answers can be read repeatedly. */
export interface RunSource {
  manifest: RunManifest;
  /** Description of this part of a run; undefined for a whole run. See `splitRuns`. */
  part?: string;
  /** Name of the stored run that this is a part of; undefined for a whole run. */
  partOf?: string;
  /** Yields the questions in the order of the data set. */
  questions(): AsyncIterable<RunQuestion>;
  /** Returns the answer of a question; undefined if it has not ended or is not in this run. */
  answer(id: string): Promise<RunAnswer | undefined>;
  /** Returns people's verdicts on the answers, by question id. Undefined if the source has none. */
  marks?(): Promise<ReadonlyMap<string, Mark>>;
}

/** A question with the answers of several runs. */
export interface JoinedQuestion {
  question: RunQuestion;
  /** SHA-256 of its data set. */
  data: string;
  /**
   * Answers by position of the run; undefined if the run has another data set or the question has
   * not ended in it.
   */
  answers: (RunAnswer | undefined)[];
}

/** Number of questions whose answers are read at once. */
const PAGE = 64;

/**
 * Returns the named runs, each once, in the given order. The name of a study stands for all of its
 * runs, those of its baseline first.
 *
 * @throws Failure UnknownRun if one does not exist.
 */
export async function openRuns(store: RunStore, names: readonly string[]): Promise<RunSource[]> {
  const runs = await Promise.all(names.map((name) => runsNamed(store, name)));
  return Promise.all([...new Set(runs.flat())].map((name) => openRun(store, name)));
}

async function runsNamed(store: RunStore, name: string): Promise<string[]> {
  if (await store.manifest(name)) return [name];
  const study = studyCells(await store.list(), name);
  if (!study) throw unknownRun(name);
  const isBaseline = ({ method }: Pick<StudyCell, 'method'>) => method === study.baseline;
  const { cells } = study;
  const ordered = [...cells.filter(isBaseline), ...cells.filter((cell) => !isBaseline(cell))];
  return ordered.flatMap(({ runs }) => runs);
}

/** Returns a stored run as a source. @throws Failure UnknownRun if it does not exist. */
export async function openRun(store: RunStore, run: string): Promise<RunSource> {
  const manifest = await store.manifest(run);
  if (manifest === undefined) throw unknownRun(run);
  return {
    manifest,
    async *questions() {
      for await (const { question } of store.questions(run)) yield question;
    },
    answer: (id) => store.get(run, id),
    marks: () => store.marks(run),
  };
}

/**
 * Yields every question of the runs once, with the answers of all runs: first the questions of the
 * first run in its order, then those that only later runs have. Equal ids in different data sets
 * are different questions.
 */
export async function* joinRuns(runs: readonly RunSource[]): AsyncGenerator<JoinedQuestion> {
  const seen = new Map<string, Set<string>>();
  for (const run of runs) {
    const data = datasetHashOf(run.manifest);
    const ids = seen.get(data) ?? new Set();
    seen.set(data, ids);
    let page: RunQuestion[] = [];
    for await (const question of run.questions()) {
      if (ids.has(question.id)) continue;
      ids.add(question.id);
      page.push(question);
      if (page.length < PAGE) continue;
      yield* await withAnswers(page, data, runs);
      page = [];
    }
    yield* await withAnswers(page, data, runs);
  }
}

/** Yields every ended question of a run with its answer, in the order of the data set. */
export async function* answersOf(
  run: RunSource,
): AsyncGenerator<{ question: RunQuestion; answer: RunAnswer }> {
  for await (const { question, answers } of joinRuns([run])) {
    const [answer] = answers;
    if (answer) yield { question, answer };
  }
}

function withAnswers(
  questions: readonly RunQuestion[],
  data: string,
  runs: readonly RunSource[],
): Promise<JoinedQuestion[]> {
  return Promise.all(
    questions.map(async (question) => ({
      question,
      data,
      answers: await Promise.all(
        runs.map((run) =>
          datasetHashOf(run.manifest) === data ? run.answer(question.id) : undefined,
        ),
      ),
    })),
  );
}
