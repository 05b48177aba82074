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
import { dataOf } from './run-identity.js';

/** A run as the figures and the report read it; it can be read as often as wanted. */
export interface RunSource {
  manifest: RunManifest;
  /** Description of this part of a run; undefined for a whole one. See `splitRuns`. */
  part?: string;
  partOf?: string;
  /** Yields the questions in the order of the data set. */
  questions(): AsyncIterable<RunQuestion>;
  /** Returns an answer; undefined if the question has not ended or is not of this run. */
  answer(id: string): Promise<RunAnswer | undefined>;
  /** Returns people's verdicts on its answers, by question; absent if they are not stored. */
  marks?(): Promise<ReadonlyMap<string, Mark>>;
}

/** A question with the answers of several runs, in the order of the runs. */
export interface JoinedQuestion {
  question: RunQuestion;
  /** The content of its data set, as `dataOf` names it. */
  data: string;
  answers: (RunAnswer | undefined)[];
}

/** Answers read at a time. */
const PAGE = 64;

/**
 * Returns the runs of these names, each once, in the order named. The name of a study means its
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

/** The run of a name. @throws Failure UnknownRun. */
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
 * Every question of the runs once, with the answers of all runs of its data set: those of the first
 * run in its order, then those that only later runs have. Equal ids in two data sets are two
 * questions.
 */
export async function* joinRuns(runs: readonly RunSource[]): AsyncGenerator<JoinedQuestion> {
  const seen = new Map<string, Set<string>>();
  for (const run of runs) {
    const data = dataOf(run.manifest);
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

/** Every question of a run that has ended, with its answer, in the order of the data set. */
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
        runs.map((run) => (dataOf(run.manifest) === data ? run.answer(question.id) : undefined)),
      ),
    })),
  );
}
