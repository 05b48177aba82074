/** How a step is asked: its model, its parameters, and the form of its output. Pure. */

/** How much a model thinks before it answers, from least to most, as providers name it. */
export const REASONING_EFFORTS = [
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
] as const;

/** Custom fields in the body of a model call. JSON-safe. */
export type ExtraBody = Readonly<Record<string, unknown>>;

/** Parameters of model calls that replace those of a step; what is left out stays. */
export interface ModelParameters {
  temperature?: number;
  topP?: number;
  reasoningEffort?: (typeof REASONING_EFFORTS)[number];
  /** Most tokens of the visible answer; doubled if a cut output is asked for again. */
  maxTokens?: number;
  /** Custom body fields; they override those set for all steps. */
  extraBody?: ExtraBody;
}

/** A model and its parameters; without a name, the model of `default`. */
export type StepModel = { [P in keyof ModelParameters]: ModelParameters[P] | undefined } & {
  model?: string | undefined;
};

/** Models by the name of the step. A step without a model of its own has that under "default". */
export type StepModels = Readonly<Record<string, string | StepModel>>;

/**
 * Returns the model and parameters of a step, or else those of `default`.
 *
 * @param asked `extraBody` applies to all steps.
 */
export function modelFor(
  step: string,
  { models, extraBody: ofAll }: { models: StepModels; extraBody?: ExtraBody | undefined },
  defaultModel: string,
): { model: string; parameters?: ModelParameters } {
  const usual = settingsOf(models.default);
  const asked = settingsOf(models[step] ?? models.default);
  const { model = usual.model ?? defaultModel, extraBody: own, ...rest } = asked;
  const extraBody = { ...ofAll, ...own };
  const parameters = { ...rest, ...(hasFields(extraBody) && { extraBody }) };
  const set = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return set.length === 0 ? { model } : { model, parameters: Object.fromEntries(set) };
}

/** Returns the names of the models that steps are asked by, each once. */
export function modelNames(models: StepModels): string[] {
  const named = Object.values(models).map((one) => settingsOf(one).model);
  return [...new Set(named.filter((name) => name !== undefined))];
}

/** A model that judges answers, by name or with parameters. */
export type Judge = string | (StepModel & { model: string });

export function judgeModel(judge: Judge): string {
  return typeof judge === 'string' ? judge : judge.model;
}

/** A worker's settings for steps about which an input says nothing. */
export interface UsualSteps {
  models?: StepModels | undefined;
  outputs?: StepOutputs | undefined;
  extraBody?: ExtraBody | undefined;
}

/** Returns an input completed by the worker's settings. */
export function withUsual<I extends UsualSteps & { models: StepModels }>(
  input: I,
  { models, outputs, extraBody }: UsualSteps = {},
): I {
  return {
    ...input,
    models: { ...models, ...input.models },
    ...((outputs || input.outputs) && { outputs: { ...outputs, ...input.outputs } }),
    ...(extraBody && !input.extraBody && { extraBody }),
  };
}

/** Tells whether there are custom body fields. */
export function hasFields(extraBody: ExtraBody | undefined): extraBody is ExtraBody {
  return extraBody !== undefined && Object.keys(extraBody).length > 0;
}

function settingsOf(model: string | StepModel | undefined): StepModel {
  return typeof model === 'string' ? { model } : (model ?? {});
}

export const OUTPUT_FORMS = ['text', 'schema'] as const;

/**
 * Form of an output: "text" is the papers' form; "schema" is JSON by a schema that the endpoint
 * enforces.
 */
export type OutputForm = (typeof OUTPUT_FORMS)[number];

/**
 * Output forms by the name of the step. A step without a form of its own has that under "default".
 */
export type StepOutputs = Readonly<Record<string, OutputForm>>;

export function outputFor(step: string, outputs: StepOutputs | undefined): OutputForm {
  return outputs?.[step] ?? outputs?.default ?? 'text';
}

/** Prompt set of all steps, or sets by step name; "default" for other steps. */
export type StepPrompts = string | Readonly<Record<string, string>>;

const USUAL_PROMPTS = 'default';

export function promptsFor(step: string, prompts: StepPrompts): string {
  if (typeof prompts === 'string') return prompts;
  return prompts[step] ?? prompts.default ?? USUAL_PROMPTS;
}

/** Returns the prompt sets, each replaced by the result of a function. */
export async function eachPrompts(
  prompts: StepPrompts,
  other: (set: string) => Promise<string>,
): Promise<StepPrompts> {
  if (typeof prompts === 'string') return other(prompts);
  const sets = Object.entries({ default: USUAL_PROMPTS, ...prompts });
  const others = sets.map(async ([step, set]) => [step, await other(set)] as const);
  return Object.fromEntries(await Promise.all(others));
}

/** Returns the prompt sets as text: "mine", "default, validate mine". */
export function promptsText(prompts: StepPrompts): string {
  return byStepText(typeof prompts === 'string' ? { default: prompts } : prompts, USUAL_PROMPTS);
}

/** Returns the output forms as text: "schema", "text, validate schema". */
export function outputsText(outputs: StepOutputs = {}): string {
  return byStepText(outputs, 'text');
}

function byStepText(named: Readonly<Record<string, string>>, otherwise: string): string {
  const { default: usual = otherwise, ...steps } = named;
  const others = Object.entries(steps).filter(([, one]) => one !== usual);
  return [usual, ...others.map(([step, one]) => `${step} ${one}`).sort()].join(', ');
}
