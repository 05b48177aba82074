import { Failure } from '../../core/failure.js';
import { refuseSecrets } from '../../core/options/extra-body.js';
import { searchesNothing } from '../../core/options/idle-retrieval.js';
import { type CompleteInput, parseInput } from '../../core/options/input.js';
import { methodNamed } from '../../core/registry.js';
import type { RecordRef } from '../../core/run/run.js';
import { eachPrompts, withUsual } from '../../core/step-models.js';
import type { PassageRef } from '../../core/vocabulary.js';
import { pinnedCorpus } from '../../retrieval/manifest.js';
import type { Source } from '../../steps/other.js';
import { callsOf } from '../../stores/runs/call-records.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import type { Prepared, QuestionActivities } from '../../workflows/activities/question.js';
import { stepsWithOtherPrompts } from '../run/asked-with.js';
import { givenPassages } from '../run/given-passages.js';
import { checkFit, corpusOfRun } from '../run/run-fit.js';
import { manifestOf, questionOf } from '../run/run-of.js';
import { applicationFailure } from './application-failure.js';
import type { InProcess, Ports } from './ports.js';

/**
 * Makes the activity that checks the input, stores supplied passages, checks that the corpus is
 * there and fit, and says what the worker is set up with. A local activity: its input, with the
 * texts, enters no history; its result does, so that a question keeps the defaults it began with.
 *
 * Workflows leave the check to it since what checks would be loaded anew for every question.
 */
export function prepareActivity(ports: Ports): QuestionActivities['prepare'] {
  const { defaultModel, searchAttributes, searchQueue } = ports;
  return async (method, started, asked = {}) => {
    try {
      const { record, transport } = asked;
      const run = record && (await fitting(record.run, ports));
      const known = methodNamed(method, ports.methods);
      const parsed = parseInput(known, started, run !== undefined);
      // A run says all of it from its beginning on.
      const input = run ? parsed : withUsual(parsed, ports.usual);
      if (!run) refuseSecrets(input, ports.secrets ?? []);
      const given = async () => record && run && (await givenPassages(record, run, ports));
      const retrieval = searchesNothing(known, input.options)
        ? NOTHING_TO_SEARCH
        : await sourceOf(input.retrieval, { given: await given(), run }, ports);
      const fork = record && run?.input.fork && (await forkOf(record, run, ports));
      const prompts = await eachPrompts(input.prompts, ports.prompts.pin);
      // What goes by batch is not begun by whom it is asked by.
      const eager = transport === undefined && (await ports.mayBeEager?.()) === true;
      // Where workers of their own are there for searches, they make them.
      const isApart = searchQueue !== undefined;
      const searchesLocally = !isApart && searchesItself(retrieval, ports.inProcess);
      return {
        input: { ...input, prompts, retrieval },
        defaultModel,
        searchAttributes,
        ...(fork && { fork }),
        ...(searchesLocally && { searchesLocally: true as const }),
        ...(eager && { eager }),
        ...(isApart && { searchQueue }),
      };
    } catch (error) {
      throw error instanceof Failure ? applicationFailure(error, { searchAttributes }) : error;
    }
  };
}

/** Returns the calls that a question of a fork takes. */
async function forkOf(
  record: RecordRef,
  manifest: RunManifest,
  { runs, steps }: Pick<Ports, 'runs' | 'steps'>,
): Promise<Prepared<unknown>['fork']> {
  const { fork } = manifest.input;
  if (!fork) return undefined;
  const { question: _, where: __, ...taking } = fork;
  const { id, taken } = await questionOf(record, runs);
  const calls = callsOf({ id, ...(taken !== undefined && { calls: taken }) }) ?? [];
  const changed = stepsWithOtherPrompts(manifest.fork?.prompts ?? {}, manifest, { steps });
  return { ...taking, changed, taken: calls };
}

/** For a method that asks for no passages: no corpus has to be there for it. */
const NOTHING_TO_SEARCH: Source = { supplied: [] };

/** Returns the run that asks. @throws Failure RunMismatch where this worker is set up otherwise. */
async function fitting(run: string, ports: Ports): Promise<RunManifest> {
  const manifest = await manifestOf(run, ports.runs);
  await checkFit(manifest, ports);
  return manifest;
}

interface Asked {
  /** The passages that a run asks the question with, where it does. */
  given: PassageRef[] | undefined;
  run: RunManifest | undefined;
}

/** A corpus under the name of its content: the question goes on with it when it is built anew. */
async function sourceOf(
  { corpus, mode, passages }: CompleteInput<unknown>['retrieval'],
  { given, run }: Asked,
  ports: Pick<Ports, 'corpora' | 'describeCorpus' | 'passages'>,
): Promise<Source> {
  const how = mode && { mode };
  if (given) return { supplied: given, ...how };
  if (passages) return { supplied: await ports.passages.put(passages), ...how };
  if (run) return { corpus: await corpusOfRun(run, mode, ports), ...how };
  await ports.corpora.open(corpus, mode);
  return { corpus: pinnedCorpus(corpus, await ports.describeCorpus(corpus)), ...how };
}

/** Tells whether the worker searches by itself. What is paid for, as vectors are, it does not. */
export function searchesItself(source: Source, inProcess: InProcess | undefined): boolean {
  if (!inProcess) return false;
  const isAtHand = 'supplied' in source ? inProcess.passages : inProcess.corpus(source.corpus);
  return isAtHand && (source.mode === undefined || source.mode === 'bm25');
}
