/**
 * Reads the input of a forked run, and its questions with the recorded calls that they take over
 * from the parent run.
 */

import { Failure } from '../../core/failure.js';
import { methodNamed } from '../../core/method-registry.js';
import { requireCorpus } from '../../core/options/idle-retrieval.js';
import { badInput } from '../../core/options/problems.js';
import { completedFork, type ForkInput, parseFork } from '../../core/run/fork-input.js';
import type { Fork, RunSpec } from '../../core/run/input.js';
import { isFork } from '../../core/run/is-fork.js';
import type { RecordRef } from '../../core/run/run.js';
import { unknownRun } from '../../core/run/unknown-run.js';
import { hashOrderSample } from '../../evaluation/dataset/hash-order-sample.js';
import { outcomeOf, stateOf } from '../../evaluation/runs/question-state.js';
import { parseRunInput } from '../../interpreters/methods.js';
import { refusePredictions } from '../../interpreters/predictions.js';
import {
  type CallWithInput,
  perfectOutput,
  shownPassageIds,
  transcriptKeyOf,
} from '../../steps/perfect.js';
import { stepNamed } from '../../steps/table.js';
import type { RunManifest, RunQuestion } from '../../stores/runs/run-store.js';
import { readPassages } from '../runtime/model-request.js';
import type { Ports } from '../runtime/ports.js';
import { mayNeedCorpus, questionsOfHalf } from './choose-questions.js';
import { corpusName, manifestOfRun, questionOf } from './run-of.js';
import { promptsOfRun, stepsWithOtherPrompts } from './worker-setup.js';

type ForkPorts = Pick<Ports, 'confirmations' | 'methods' | 'prompts' | 'runs' | 'steps'>;

/**
 * Returns the checked input of a run with its defaults. Fields that a fork leaves out are taken
 * from its parent run, which may be deleted once the fork has begun.
 *
 * @throws Failure BadInput naming every field that is wrong; UnknownRun if the parent does not
 * exist; Conflict if its answers were imported.
 */
export async function specOf(input: unknown, ports: ForkPorts): Promise<RunSpec> {
  if (!isFork(input)) return parseRunInput(input, ports.methods);
  const given = parseFork(input);
  const parent = (await ports.runs.manifest(given.run)) ?? (await parentOf(given.fork, ports));
  return specOfFork(given, parent.input, ports);
}

/**
 * Returns the checked input of a fork as that of a complete run: fields that it leaves out are
 * taken from the input of its parent run.
 *
 * @throws Failure BadInput naming every field that is wrong, and for a perfect output of a step
 * that has no oracle.
 */
export function specOfFork(
  given: ForkInput,
  parent: RunSpec,
  { methods, steps: own }: Pick<Ports, 'methods' | 'steps'>,
): RunSpec {
  const { steps } = methodNamed(parent.method, methods);
  const whole = completedFork(given, parent, steps);
  const { at = '', perfect } = given.fork;
  if (perfect && !stepNamed(at, own)?.oracle) {
    const rule = 'accepted answers do not determine its output';
    throw badInput('fork.perfect', `is not known for ${at}: ${rule}`);
  }
  return parseRunInput(whole, methods);
}

/**
 * Returns the manifest of the parent run of a fork.
 *
 * @throws Failure UnknownRun if it does not exist; Conflict if its answers were imported.
 */
export async function parentOf(
  { run }: Pick<Fork, 'run'>,
  { runs }: Pick<Ports, 'runs'>,
): Promise<RunManifest> {
  const manifest = await runs.manifest(run);
  if (!manifest) throw unknownRun(run, ' to fork');
  refusePredictions(manifest);
  return manifest;
}

/** The questions of a fork. */
interface ForkedQuestions {
  questions: AsyncGenerator<RunQuestion>;
  /**
   * Returns the number of questions, and as `whole` how many of them take over no calls and are
   * asked anew. Valid once all questions were read.
   */
  counts(): { whole: number; questions: number };
}

/**
 * Returns `questions`, a generator of the questions that a fork asks, each with the recorded calls
 * of its answer in the parent run; and `counts`, a function that returns their number and how many
 * of them are asked anew, valid once all were read. A question that failed there, or whose calls
 * were not stored, has no calls and is asked anew; a fork with `perfect` leaves it out.
 *
 * The generator throws a Failure BadInput if there are no questions, or if one has to search and
 * no corpus is named: the options of a fork may let it search although its parent did not.
 */
export async function forkedQuestions(
  fork: Fork,
  spec: RunSpec,
  parent: RunManifest,
  ports: Pick<Ports, 'confirmations' | 'methods' | 'runs'>,
): Promise<ForkedQuestions> {
  const { runs } = ports;
  const { half, sample, sampleSeed } = spec;
  const needsCorpus = mayNeedCorpus(spec, ports.methods);
  const counts = { whole: 0, questions: 0 };
  const isWrong = async ({ id }: RunQuestion) => {
    const answer = await runs.get(fork.run, id);
    return answer === undefined || stateOf(answer, parent.metrics) !== 'right';
  };
  async function* chosen(): AsyncGenerator<RunQuestion> {
    for await (const { question } of runs.questions(fork.run)) {
      if (fork.question !== undefined && fork.question !== question.id) continue;
      if (fork.where === undefined || (await isWrong(question))) yield question;
    }
  }
  async function* asked(): AsyncGenerator<RunQuestion> {
    yield* half ? await questionsOfHalf(chosen(), half, ports) : chosen();
  }
  const drawn = sample === undefined ? undefined : await drawnOf(asked(), sample, sampleSeed);
  async function* questions(): AsyncGenerator<RunQuestion> {
    for await (const { taken: _, changedAt: __, ...question } of asked()) {
      if (drawn && !drawn.has(question.id)) continue;
      if (needsCorpus && !question.stored) requireCorpus(undefined, question);
      const answer = await runs.get(fork.run, question.id);
      const taken = answer && outcomeOf(answer) !== 'failed' ? answer.calls : undefined;
      if (taken === undefined && fork.perfect) continue;
      counts.questions++;
      if (taken === undefined) counts.whole++;
      yield { ...question, ...(taken !== undefined && { taken }) };
    }
    if (counts.questions === 0) {
      throw new Failure('BadInput', `The run "${fork.run}" has no such question to fork.`);
    }
  }
  return { questions: questions(), counts: () => counts };
}

/** The questions of a fork, whether it has begun or not. */
interface ForkTaken {
  /** Steps whose prompts differ from those of the parent run. */
  changed: readonly string[];
  questions: AsyncIterable<RunQuestion>;
}

/**
 * Returns `questions`, a generator of the questions of a fork, each with the recorded calls that
 * it reuses, and `changed`, the names of the steps whose prompts differ from those of the parent
 * run. The fork need not have begun.
 *
 * @throws Failure BadInput if a prompt set does not exist. If the fork has not begun: UnknownRun
 * if its parent run does not exist, Conflict if the parent's answers were imported.
 */
export async function questionsOfFork(
  fork: Fork,
  spec: RunSpec,
  ports: ForkPorts,
): Promise<ForkTaken> {
  const prompted = { input: spec, prompts: await promptsOfRun(spec, ports) };
  const there = await ports.runs.manifest(spec.run);
  if (there?.fork) {
    async function* kept() {
      for await (const { question } of ports.runs.questions(spec.run)) yield question;
    }
    const changed = stepsWithOtherPrompts(there.fork.prompts, prompted, ports);
    return { changed, questions: kept() };
  }
  const parent = await parentOf(fork, ports);
  const { questions } = await forkedQuestions(fork, spec, parent, ports);
  return { changed: stepsWithOtherPrompts(parent.prompts, prompted, ports), questions };
}

async function drawnOf(
  questions: AsyncIterable<RunQuestion>,
  sample: number,
  seed: number,
): Promise<ReadonlySet<string>> {
  async function* ids() {
    for await (const { id } of questions) yield id;
  }
  return hashOrderSample(ids(), sample, seed);
}

type OraclePorts = Pick<Ports, 'corpora' | 'passages' | 'runs' | 'steps' | 'transcripts'>;

/**
 * Returns `{ output }`, the perfect output of a step for a call of a question of a stored run, as
 * `perfectOutputOf` returns it; an empty object if there is none.
 *
 * @throws Failure UnknownRun if the run does not exist; BadInput if it does not have the question;
 * the failures of `perfectOutputOf`.
 */
export async function recordedPerfectOutput(
  record: RecordRef,
  call: CallWithInput,
  ports: OraclePorts,
): Promise<{ output?: unknown }> {
  const manifest = await manifestOfRun(record.run, ports.runs);
  const question = await questionOf(record, ports.runs);
  const output = await perfectOutputOf(call, question, corpusName(manifest), ports);
  return output === undefined ? {} : { output };
}

/**
 * Returns the perfect output of a step for a call: the one that the step's oracle derives from the
 * gold answers and the texts shown to the model. Undefined if the step has no oracle, or if the
 * oracle cannot decide this call.
 *
 * @param corpus Corpus that the question searches; null if it searches none.
 * @throws Failure UnknownPassage if a passage is gone; UnknownText if the transcript before the
 * call is gone.
 */
export async function perfectOutputOf(
  call: CallWithInput,
  { answers, answerGroups, stored }: RunQuestion,
  corpus: string | null,
  ports: Omit<OraclePorts, 'runs'>,
): Promise<unknown> {
  const read = await readPassages(
    shownPassageIds(call, ports.steps),
    stored ? null : corpus,
    ports,
  );
  const texts = new Map(read.map(({ id, text }) => [id, text]));
  const soFar = transcriptKeyOf(call, ports.steps);
  if (soFar !== null) texts.set(soFar, await ports.transcripts.text(soFar));
  return perfectOutput(call, { answers, answerGroups }, texts, ports.steps);
}
