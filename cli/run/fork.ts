/**
 * `durable-rag fork`: starts a run that reuses those results of another one that a change does not
 * affect.
 */

import { mayNeedCorpus } from '../../activities/run/choose-questions.js';
import { forkedQuestions, specOfFork } from '../../activities/run/fork.js';
import { canonicalJson } from '../../core/canonical-json.js';
import { forEachLimited } from '../../core/each-of.js';
import { methodNamed } from '../../core/method-registry.js';
import { badInput } from '../../core/options/problems.js';
import { type ForkInput, parseFork } from '../../core/run/fork-input.js';
import type { RunSpec } from '../../core/run/input.js';
import { sha256Of } from '../../core/sha256.js';
import { callAt } from '../../evaluation/runs/call-names.js';
import { openRun } from '../../evaluation/runs/run-source.js';
import { modelStepNamed } from '../../interpreters/planning.js';
import { refusePredictions } from '../../interpreters/predictions.js';
import { replay } from '../../interpreters/replay.js';
import { outputOf } from '../../steps/define.js';
import { ownSteps } from '../../steps/own-steps.js';
import { confirmations } from '../../stores/confirmations.js';
import { MemoryStore } from '../../stores/memory-store.js';
import type { RunManifest, RunStore } from '../../stores/runs/run-store.js';
import type { OwnMethods } from '../../workflows/define-method.js';
import { callAddresses } from '../../workflows/replaying.js';
import type { CliContext } from '../context.js';
import { EXIT } from '../exit-codes.js';
import { namingFlags, type TypedInput } from '../flags.js';
import { methodsOf } from '../own-methods.js';
import type { CommandOutput } from '../print-output.js';
import { askRuns, type RunFlags } from './ask-runs.js';
import { showDryRun } from './dry-run.js';
import { recordedQuestion, showQuestion } from './show-question.js';
import { withRuns } from './with-runs.js';

interface ForkFlags extends RunFlags {
  dryRun?: boolean | undefined;
  /** Output of the call that `--at` names, used instead of asking the model. */
  say?: string | undefined;
}

/**
 * Starts a fork of a run, or joins it, and follows it to its end. Returns the exit code; for a dry
 * run the plan as output; and for a fork that asks a single question, if it ended with exit code
 * 0, the output with its answer (not with `--json` or `detach`).
 *
 * @param parent Name of the run to fork.
 * @throws Failure BadInput naming the flags that are wrong, before anything is started.
 */
export async function forkRun(
  parent: string,
  typed: TypedInput,
  { dryRun, say, ...flags }: ForkFlags,
  context: CliContext,
): Promise<CommandOutput | number> {
  const { spec, asked } = await withRuns(context, async (runs) => {
    const fields = await withCall(parent, typed.fields, say, runs, context);
    const spec = forkOf(parent, { ...typed, fields });
    const there = await runs.manifest(spec.run);
    // If the fork exists, its parent may have been deleted.
    const manifest = there ?? (await openRun(runs, parent)).manifest;
    refusePredictions(manifest);
    const { input } = manifest;
    const asked = namingFlags(typed, () => wholeFork(spec, input, context));
    if (!there) await checkCorpusOf(asked, manifest, runs, methodsOf(context));
    return { spec, asked };
  });
  if (dryRun) return showDryRun([{ spec: asked, isNamed: true }], context);
  const code = await askRuns([{ spec, isNamed: true }], flags, context);
  const { question } = spec.fork;
  if (code !== EXIT.ok || question === undefined || context.json || flags.detach) return code;
  return showQuestion(spec.run, question, context);
}

/**
 * Throws if a fork that has to search names no corpus, before it starts.
 *
 * @throws Failure BadInput, naming the question.
 */
async function checkCorpusOf(
  asked: RunSpec,
  parent: RunManifest,
  runs: RunStore,
  methods: OwnMethods,
): Promise<void> {
  if (!asked.fork || !mayNeedCorpus(asked, methods)) return;
  // Only forks of tunes ask halves, which depend on confirmations.
  const ports = { runs, methods, confirmations: confirmations(new MemoryStore()) };
  const { questions } = await forkedQuestions(asked.fork, asked, parent, ports);
  await forEachLimited(questions, 1, async () => {});
}

/**
 * Returns the input of a fork as that of a complete run: fields that the fork leaves out are its
 * parent's.
 */
export function wholeFork(spec: ForkInput, parent: RunSpec, context: CliContext): RunSpec {
  const { steps } = ownSteps(context.config?.steps ?? []);
  return specOfFork(spec, parent, { methods: methodsOf(context), steps });
}

/**
 * Returns the fields of a fork with the call that `--at` names, such as `summarize[2]`, as a step
 * and an address. The text of `--say` is parsed as a model's reply to that step would be.
 *
 * @throws Failure BadInput naming the calls that the question has, or the outputs that the step
 * allows.
 */
async function withCall(
  parent: string,
  fields: TypedInput['fields'],
  say: string | undefined,
  runs: RunStore,
  context: CliContext,
): Promise<TypedInput['fields']> {
  const { question: id, at, ...fork } = Object(fields.fork);
  if (say !== undefined && (id === undefined || at === undefined)) {
    throw badInput(
      'say',
      'needs --question and --at, which name the call whose output it replaces',
    );
  }
  if (id === undefined || at === undefined) return fields;
  const { manifest, question, records: calls } = await recordedQuestion(runs, parent, id);
  const isStep = calls.some(({ step }) => step === at);
  if (isStep && say === undefined) return fields;
  const { step, address } = callAt(calls, at, '--at');
  const one = { ...fork, question: id, at: step, address };
  if (say === undefined) return { ...fields, fork: one };
  const method = methodNamed(manifest.input.method, methodsOf(context));
  const { options } = manifest.input;
  const replayed = await replay(method, { question: question.question, options }, calls);
  const input = replayed.calls.find((call) => callAddresses()(call) === address)?.input;
  const { steps } = ownSteps(context.config?.steps ?? []);
  const { read, form } = outputOf(modelStepNamed(step, steps), input as object);
  const output = read({ text: say, cut: false });
  if (output === undefined) throw badInput('say', `is no output of ${step}: write ${form}`);
  return { ...fields, fork: { ...one, output } };
}

/**
 * Returns the input of a fork, made from the typed flags. Without a name, it is named after the
 * run, the step and a hash of the change, so that the same command joins it.
 *
 * @throws Failure BadInput naming the flags that are wrong.
 */
export function forkOf(parent: string, { fields, nameOf }: TypedInput): ForkInput {
  const { fork, models, prompts, outputs, run, ...given } = fields;
  const asked = { ...Object(fork), run: parent };
  const at = asked.at ?? 'default';
  const ofStep = (value: unknown) => value !== undefined && { [at]: value };
  const change = {
    fork: asked,
    ...(models !== undefined && { models: ofStep(models) }),
    ...(prompts !== undefined && { prompts: ofStep(prompts) }),
    ...(outputs !== undefined && { outputs: ofStep(outputs) }),
  };
  const { options, sample, sampleSeed } = given;
  const hash = sha256Of(canonicalJson({ ...change, options, sample, sampleSeed }));
  const name = run ?? `${parent}-${asked.at ?? 'fork'}-${hash.slice(0, HASH_DIGITS)}`;
  return namingFlags({ nameOf }, () => parseFork({ ...given, ...change, run: name }));
}

const HASH_DIGITS = 8;
