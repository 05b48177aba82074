/** The workflows that a run starts: one for each question, and one for each answer to judge. */
import type { ChildWorkflowOptions } from '@temporalio/workflow';
import { type RunSpec, searchModeOf } from '../../core/run/input.js';
import type { RecordRef, RunContext } from '../../core/run/run.js';
import { hasFields } from '../../core/step-models.js';
import { BATCHED, LONGEST_FAIRNESS_KEY } from '../queue/priorities.js';
import { attributesAtStart } from '../search-attributes.js';
import { summaryLine } from '../summary-line.js';
import type { WaitingQuestion } from './run-pauses.js';

/** The arguments of a start of a child workflow of a run: its type and its options, as a pair. */
export type ChildStart = [
  type: string,
  options: ChildWorkflowOptions & { workflowId: string; args: unknown[] },
];

/**
 * Time after which a question starts again, from the response cache. Without it, a question that no
 * worker's code can replay would occupy its place for ever. No other question takes this long.
 */
const LONGEST = '7 days';

/**
 * Returns the Temporal priority of the questions of a run: the priority key of batch work, and the
 * run's name (its last 63 characters) as the fairness key, so that each run has its own share of
 * the capacity.
 */
export function priorityOf({ run }: RunSpec) {
  return { priorityKey: BATCHED, fairnessKey: run.slice(-LONGEST_FAIRNESS_KEY) };
}

/**
 * Returns the workflow id of a question of a run, or of the judging of its answer. It is the same
 * in every start of the run, so that the question never runs twice at once.
 *
 * @param run Workflow id of the run.
 */
export function childWorkflowId(run: string, { name, toJudge }: WaitingQuestion): string {
  return `${run}/${name}${toJudge ? '/judge' : ''}`;
}

/**
 * Returns the type and options of the child workflow that asks a question or judges its answer.
 * Does not start it.
 *
 * It is abandoned when its parent closes. The workflow of a run closes with each history, and the
 * next one takes its children over. If a run is terminated, they continue and record their answers.
 *
 * @param workflowId Workflow id of the run.
 */
export function childStartOf(
  workflowId: string,
  spec: RunSpec,
  asked: WaitingQuestion,
): ChildStart {
  const { run, method, transport, labelled } = spec;
  const { question, toJudge, callsEach } = asked;
  const isLabelled = labelled && !toJudge;
  const record = recordOf(run, asked);
  const reporting = transport && asked.tellsCost ? { ...transport, costTo: workflowId } : transport;
  const by: RunContext = {
    ...(!toJudge && { record }),
    ...(reporting && { transport: reporting }),
    ...(callsEach !== undefined && { callsEach }),
  };
  return [
    toJudge ? 'judgeAnswer' : method,
    {
      workflowId: childWorkflowId(workflowId, asked),
      parentClosePolicy: 'ABANDON',
      workflowRunTimeout: LONGEST,
      priority: priorityOf(spec),
      staticSummary: summaryLine(question),
      ...(isLabelled && { typedSearchAttributes: attributesAtStart(method, labelsOf(spec)) }),
      args: [
        toJudge ? record : questionInput(spec, asked),
        ...(Object.keys(by).length > 0 ? [by] : []),
      ],
    },
  ];
}

/**
 * Returns the reference to the stored question of a run and its answer, made from the run's name
 * and the question.
 */
export function recordOf(run: string, { id, at, resample }: WaitingQuestion): RecordRef {
  return { run, id, at, ...(resample && { resample }) };
}

/** Returns the input of the workflow that asks a question of a run, made from the run's input. */
export function questionInput(spec: RunSpec, { question }: Pick<WaitingQuestion, 'question'>) {
  const { corpus, noise, options, models, tier, outputs } = spec;
  const mode = searchModeOf(spec);
  const { prompts, seed, cache, limits, extraBody, budgetPerQuestionUsd } = spec;
  return {
    question,
    // Passages chosen with their noise are read in the order of that choice.
    retrieval: { corpus, ...(mode && !noise && { mode }) },
    options,
    models,
    prompts,
    seed,
    cache,
    limits,
    ...(budgetPerQuestionUsd !== undefined && { budgetPerQuestionUsd }),
    ...(hasFields(extraBody) && { extraBody }),
    ...(tier && { tier: withoutJudge(tier) }),
    ...(outputs && { outputs: withoutJudge(outputs) }),
    labels: labelsOf(spec),
  };
}

/** Returns the labels by which questions of a run are found. */
function labelsOf({ run, datasetName, tenant }: RunSpec) {
  return {
    run,
    ...(datasetName !== undefined && { dataset: datasetName }),
    ...(tenant !== undefined && { tenant }),
  };
}

/** Returns the settings without those of the judge's step, which no method has. */
function withoutJudge<T>({ judgeClaim: _, ...named }: Readonly<Record<string, T>>) {
  return named;
}
