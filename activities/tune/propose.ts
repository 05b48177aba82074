/**
 * Rounds of prompt proposals in a tune: when one is due, what the writer of prompts is shown, and
 * which prompts can be used.
 */
import { CHARACTERS_A_TOKEN, estimateRun, tokensOf } from '../../core/estimate.js';
import { badInput } from '../../core/options/problems.js';
import { mapPromptSets, modelFor, promptsFor, type StepPrompts } from '../../core/step-models.js';
import { candidateOf, stepsToPropose, withoutLabel } from '../../core/tune/candidates.js';
import type {
  Proposal,
  ProposalRound,
  Proposer,
  StepToPropose,
  TriedPrompt,
} from '../../core/tune/proposals.js';
import type { TunePlan } from '../../core/tune/tune-runs.js';
import { percent, plural } from '../../evaluation/runs/number-text.js';
import type { Effort } from '../../evaluation/tune/bounds.js';
import { rungsOf } from '../../evaluation/tune/halves.js';
import { isLocalProvider } from '../../llm/openai/endpoint.js';
import { highestPrices } from '../../llm/prices.js';
import { maxTokensOf, promptOf, promptsOf } from '../../steps/define.js';
import {
  mostCharacters,
  promptProblem,
  proposePrompt,
  requiredTexts,
} from '../../steps/propose-prompt.js';
import { stepNamed } from '../../steps/table.js';
import type { ProposalTask, WrittenPrompts } from '../../workflows/activities/tune.js';
import type { Ports } from '../runtime/ports.js';
import { promptFileOf } from '../runtime/template.js';
import {
  LOST_QUESTION_CHARACTERS,
  type LostWithCall,
  lostQuestions,
  MOST_LOST,
} from './lost-questions.js';
import type { OpenedTune } from './opened-tune.js';
import { type TuneState, tuneState } from './tune-state.js';

type ProposePorts = Pick<
  Ports,
  | 'actions'
  | 'confirmations'
  | 'corpora'
  | 'datasets'
  | 'methods'
  | 'metrics'
  | 'ownDatasets'
  | 'passages'
  | 'prompts'
  | 'runs'
  | 'steps'
  | 'transcripts'
>;

/**
 * Returns whether new prompts are written next in a tune: in the first round before any candidate
 * is tried, in a later round once every candidate has been asked the first few questions by which
 * candidates are compared. A round without a usable prompt is the last one.
 */
export function isProposing({ plan, searched }: TuneState): boolean {
  const { propose } = plan.definition.try;
  if (!propose || !searched) return false;
  const { proposed = [] } = plan;
  const last = proposed.at(-1);
  if (proposed.length >= propose.rounds || last?.written.length === 0) return false;
  const [first = 0] = rungsOf(searched.questions.length);
  const { next } = searched.search;
  return last === undefined || next === null || next.questions > first;
}

/**
 * Returns what writes prompts for a tune: an object with a `model` and its parameters, or with the
 * name of an action (`by`); undefined if the tune asks for none.
 *
 * @throws Failure BadInput for an action that this worker does not have.
 */
export function proposerOf(
  { definition }: TunePlan,
  { actions = {} }: Pick<ProposePorts, 'actions'>,
): Proposer | undefined {
  const { propose } = definition.try;
  if (!propose) return undefined;
  if (propose.model !== undefined) return { model: withoutLabel(propose.model) };
  const { by = '' } = propose;
  if (Object.hasOwn(actions, by)) return { by };
  const there = Object.keys(actions);
  const known = there.length === 0 ? 'it has none' : `it has ${there.join(', ')}`;
  throw badInput('try.propose.by', `is not an action under "steps" of the configuration: ${known}`);
}

/** Returns the name of the model or the action that writes prompts. */
function proposerName(proposer: Proposer): string {
  if ('by' in proposer) return proposer.by;
  return modelFor('default', { models: { default: proposer.model } }, '').model;
}

/**
 * Returns the task of a round of prompt proposals: the model or action that writes the prompts
 * (`proposer`), the number of prompts to write for each step (`each`), and as `steps` those at
 * which right answers were lost, each with its present prompt and the lost questions. Stores the
 * texts about these questions as passages, and pins the prompt set of the writer.
 */
export async function readProposalTask(plan: TunePlan, ports: ProposePorts): Promise<ProposalTask> {
  const state = await tuneState(plan, ports, { stopped: true });
  const proposer = proposerOf(plan, ports) ?? { model: '' };
  const { start, searched } = state;
  const { cache, limits, seed, extraBody } = start;
  const { method } = start;
  const wanted = stepsToPropose(plan.definition.try, { method, steps: searched?.steps ?? [] });
  const lost = await lostQuestions(state, searched?.questions ?? [], wanted, ports);
  const steps: StepToPropose[] = [];
  for (const [step, questions] of lost) {
    const one = questions.length > 0 && (await stepToPropose(step, questions, state, ports));
    if (one) steps.push(one);
  }
  return {
    proposer,
    each: plan.definition.try.propose?.each ?? 0,
    steps,
    settings: {
      cache,
      // What cannot be used is asked for once more.
      limits: { ...limits, reasks: 1 },
      models: 'model' in proposer ? { default: proposer.model } : {},
      prompts: await mapPromptSets(
        { default: promptsFor(proposePrompt.name, start.prompts) },
        ports.prompts.pin,
      ),
      seed,
      ...(extraBody && { extraBody }),
      question: '',
      retrieval: { supplied: [] },
    },
  };
}

async function stepToPropose(
  name: string,
  lost: readonly LostWithCall[],
  state: TuneState,
  ports: ProposePorts,
): Promise<StepToPropose | undefined> {
  const step = stepNamed(name, ports.steps);
  const [first] = lost;
  if (!step || !first) return undefined;
  const fileOf = ({ call }: LostWithCall) => promptOf(step, call.input as object);
  const file = fileOf(first);
  const { text } = await ports.prompts.load(promptsFor(name, state.start.prompts), file);
  const failures = lost.filter((one) => fileOf(one) === file).map(({ question }) => question);
  const stored = await ports.passages.put(
    failures.map(({ question, shown, wrote, answers }) => ({
      title: question,
      text: `The step was shown: ${shown}\nIt wrote: ${wrote}\nAccepted: ${answers.join('; ')}`,
    })),
  );
  const before = await triedPrompts(name, file, state, ports);
  return {
    step: name,
    file,
    prompt: text,
    keep: requiredTexts(step, text, first.call.input as object),
    failures,
    failureIds: stored.map(({ id }) => id),
    before,
    beforeText: before.map(triedText).join('\n\n'),
  };
}

/** Returns the prompts of earlier rounds for a file, with their scores on half A. */
async function triedPrompts(
  step: string,
  file: string,
  { plan, searched }: TuneState,
  { prompts }: Pick<ProposePorts, 'prompts'>,
): Promise<TriedPrompt[]> {
  const tried: TriedPrompt[] = [];
  for (const one of (plan.proposed ?? []).flatMap(({ written }) => written)) {
    const { id } = candidateOf([{ of: 'prompts', at: step, to: one.set }]);
    const figures = searched?.figures.get(id);
    if (one.step !== step || one.file !== file || !figures || !searched) continue;
    const { text } = await prompts.load(one.set, file);
    const { mean: score, questions } = figures;
    tried.push({ text, score, presentScore: searched.startOn(questions).mean, questions });
  }
  return tried;
}

function triedText({ text, score, presentScore, questions }: TriedPrompt): string {
  const scores = `${percent(score)} of 100 on ${plural(questions, 'question')}, the present one ${percent(presentScore)}`;
  return `This prompt was tried before. It scored ${scores}:\n<prompt>\n${text}\n</prompt>`;
}

/**
 * Stores each usable prompt that was written for a tune as a prompt set, which equals that of the
 * tune's start except for this prompt. Returns the stored prompts as `written`, and the others as
 * `refused`, with the reason, such as a lost placeholder.
 */
export async function keepProposals(
  { tune: plan, steps }: WrittenPrompts,
  ports: ProposePorts,
): Promise<Pick<ProposalRound, 'refused' | 'written'>> {
  const { name } = plan.definition;
  const { start } = await tuneState(plan, ports, { stopped: true });
  const proposer = proposerOf(plan, ports);
  const by = proposer ? proposerName(proposer) : '';
  const written: Proposal[] = [];
  const refused: { step: string; by: string; problem: string }[] = [];
  const sets = new Set((plan.proposed ?? []).flatMap((one) => one.written.map(({ set }) => set)));
  for (const { step, file, texts, ...present } of steps) {
    const from = promptsFor(step, start.prompts);
    if (texts.length === 0) refused.push({ step, by, problem: 'no prompt came back' });
    const { again } = await ports.prompts.load(from, file);
    for (const text of texts) {
      const problem = text === null ? 'could not be used, twice' : promptProblem(text, present);
      if (text === null || problem !== undefined) {
        refused.push({ step, by, problem: problem ?? '' });
        continue;
      }
      const set = await ports.prompts.pinWith(from, file, promptFileOf({ text, again }), name);
      if (sets.has(set)) refused.push({ step, by, problem: 'is equal to another one' });
      else written.push({ step, file, set, by });
      sets.add(set);
    }
  }
  return { written, refused };
}

type PlanPorts = Pick<Ports, 'actions' | 'llm' | 'prices' | 'prompts' | 'steps'>;

/**
 * Returns the most model calls (`calls`) and US dollars (`usd`) of a round in which prompts are
 * written; each prompt may be asked for twice. The cost is null if a price is not known; an action
 * counts as no call and as free.
 */
export async function roundUpperBound(
  { plan, start }: OpenedTune,
  asked: readonly string[],
  ports: PlanPorts,
): Promise<Effort> {
  const { propose } = plan.definition.try;
  const proposer = proposerOf(plan, ports);
  if (!propose || !proposer || 'by' in proposer) return { calls: 0, usd: 0 };
  const { each, rounds } = propose;
  const calls = 2 * each;
  const own = await ports.prompts.load(
    promptsFor(proposePrompt.name, start.prompts),
    'propose-prompt',
  );
  const steps = asked.map(async (name) => {
    const prompt = await longestPrompt(name, start.prompts, ports);
    const others =
      (rounds - 1) * each * mostCharacters(prompt) + MOST_LOST * LOST_QUESTION_CHARACTERS;
    const longest = tokensOf(own.text) + 2 * tokensOf(prompt) + others / CHARACTERS_A_TOKEN;
    const input = { of: name, prompt, keep: [], failures: [], before: '', number: 0 };
    const completion = calls * maxTokensOf(proposePrompt, input);
    const tokens = { prompt: Math.ceil(calls * longest), completion, embedded: 0, longest };
    return { step: proposePrompt.name, model: proposerName(proposer), calls, ...tokens };
  });
  const pricing = { prices: ports.prices, isLocal: isLocalProvider(ports.llm.provider) };
  const { costUsd } = estimateRun(await Promise.all(steps), (model, _, longest) =>
    highestPrices(model, pricing, undefined, longest),
  );
  return { calls: calls * asked.length, usd: costUsd };
}

/**
 * Returns the number of tokens by which a new prompt of a step may at most be longer than the
 * present one.
 */
export async function mostAddedTokens(
  step: string,
  { start }: OpenedTune,
  ports: PlanPorts,
): Promise<number> {
  const prompt = await longestPrompt(step, start.prompts, ports);
  return Math.ceil((mostCharacters(prompt) - prompt.length) / CHARACTERS_A_TOKEN);
}

async function longestPrompt(
  name: string,
  sets: StepPrompts,
  { prompts, steps }: Pick<PlanPorts, 'prompts' | 'steps'>,
): Promise<string> {
  const step = stepNamed(name, steps);
  const files = step ? promptsOf(step) : [];
  const loaded = files.map((file) => prompts.load(promptsFor(name, sets), file));
  const texts = (await Promise.all(loaded)).map(({ text }) => text);
  return texts.reduce((a, b) => (b.length > a.length ? b : a), '');
}
