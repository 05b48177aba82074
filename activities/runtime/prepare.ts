import { Context } from '@temporalio/activity';
import { Failure } from '../../core/failure.js';
import { methodNamed } from '../../core/method-registry.js';
import { refuseSecrets } from '../../core/options/extra-body.js';
import { searchesNothing } from '../../core/options/idle-retrieval.js';
import { type CompleteInput, parseInput } from '../../core/options/input.js';
import type { RecordRef } from '../../core/run/run.js';
import { mapPromptSets, withStepDefaults } from '../../core/step-models.js';
import type { PassageRef } from '../../core/vocabulary.js';
import { pinnedCorpus } from '../../retrieval/manifest.js';
import type { SearchSource } from '../../steps/non-model-steps.js';
import { callsOf } from '../../stores/runs/call-records.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import type { Prepared, QuestionActivities } from '../../workflows/activities/question.js';
import { checkFit, corpusOfRun, givenPassages } from '../run/run-fit.js';
import { manifestOfRun, questionOf } from '../run/run-of.js';
import { stepsWithOtherPrompts } from '../run/worker-setup.js';
import type { InProcessSources, Ports } from './ports.js';
import { applicationFailure } from './retry-policy.js';
import { tenantShare } from './tenant-share.js';

/**
 * Returns the activity that begins a question. It checks the input, stores supplied passages,
 * checks that the corpus exists and can be searched as asked, and returns the complete input with
 * the worker's setup.
 *
 * As a local activity, it keeps its input with the texts out of the history; its result is
 * recorded, so that a question keeps the defaults it began with. Workflows do not check the input
 * themselves, since the checking code would be loaded again for every question.
 */
export function prepareActivity(ports: Ports): QuestionActivities['prepare'] {
  const { defaultModel, searchAttributes, searchQueue } = ports;
  return async (method, started, asked = {}) => {
    try {
      const { record, transport } = asked;
      const run = record && (await fitting(record.run, ports));
      const known = methodNamed(method, ports.methods);
      const parsed = parseInput(known, started, run !== undefined);
      // A run has every setting from its beginning.
      const input = run ? parsed : withStepDefaults(parsed, ports.usual);
      if (!run) refuseSecrets(input, ports.secrets ?? []);
      const given = async () => record && run && (await givenPassages(record, run, ports));
      const retrieval = searchesNothing(known, input.options)
        ? NOTHING_TO_SEARCH
        : await sourceOf(input.retrieval, { given: await given(), run }, ports);
      const fork = record && run?.input.fork && (await forkOf(record, run, ports));
      const prompts = await mapPromptSets(input.prompts, ports.prompts.pin);
      // Calls that go by batch must not run on the workflows' queue.
      const eager = transport === undefined && (await ports.mayBeEager?.()) === true;
      // Workers that serve the search queue make the searches.
      const isApart = searchQueue !== undefined;
      const { taskQueue } = Context.current().info;
      const tenant = await tenantShare(record, input.labels.tenant, ports, taskQueue);
      const searchesLocally = !isApart && canSearchInProcess(retrieval, ports.inProcess);
      return {
        input: { ...input, prompts, retrieval },
        defaultModel,
        searchAttributes,
        ...(tenant && { tenant }),
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

/** Returns the recorded calls that a question of a forked run reuses; undefined outside a fork. */
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

/** The source of a method that asks for no passages, so that no corpus needs to be there. */
const NOTHING_TO_SEARCH: SearchSource = { supplied: [] };

/**
 * Returns the manifest of a question's run. @throws Failure RunMismatch if this worker's setup
 * differs from it.
 */
async function fitting(run: string, ports: Ports): Promise<RunManifest> {
  const manifest = await manifestOfRun(run, ports.runs);
  await checkFit(manifest, ports);
  return manifest;
}

interface RunContext {
  /** Passages that the run supplies with the question; undefined if it has none. */
  given: PassageRef[] | undefined;
  run: RunManifest | undefined;
}

/**
 * Returns where a question searches: supplied passages or a corpus. A corpus is named by its
 * content, so the question keeps it after a rebuild.
 */
async function sourceOf(
  { corpus, mode, passages }: CompleteInput<unknown>['retrieval'],
  { given, run }: RunContext,
  ports: Pick<Ports, 'corpora' | 'describeCorpus' | 'passages'>,
): Promise<SearchSource> {
  const how = mode && { mode };
  if (given) return { supplied: given, ...how };
  if (passages) return { supplied: await ports.passages.put(passages), ...how };
  if (run) return { corpus: await corpusOfRun(run, mode, ports), ...how };
  await ports.corpora.open(corpus, mode);
  return { corpus: pinnedCorpus(corpus, await ports.describeCorpus(corpus)), ...how };
}

/**
 * Returns whether the workflow's own worker can search a source in its process. Searches that cost
 * money, such as those by vectors, are excluded.
 */
export function canSearchInProcess(
  source: SearchSource,
  inProcess: InProcessSources | undefined,
): boolean {
  if (!inProcess) return false;
  const isAtHand = 'supplied' in source ? inProcess.passages : inProcess.corpus(source.corpus);
  return isAtHand && (source.mode === undefined || source.mode === 'bm25');
}
