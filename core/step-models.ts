/** The model, parameters, output form and prompt set of each step. Pure. */

/** Reasoning efforts as providers name them, from "none" to "max". */
export const REASONING_EFFORTS = [
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
] as const;

/** Additional fields in the request body of a model call, by name. JSON-safe. */
export type ExtraBody = Readonly<Record<string, unknown>>;

/**
 * Parameters of model calls that replace those of a step; for those left out, the step's own apply.
 */
export interface ModelParameters {
  temperature?: number;
  topP?: number;
  reasoningEffort?: (typeof REASONING_EFFORTS)[number];
  /** Maximum number of tokens of the visible answer; doubled if a cut output is asked again. */
  maxTokens?: number;
  /** Additional body fields; they override those set for all steps. */
  extraBody?: ExtraBody;
}

/** A model for a step, with parameters; without a name, the model is that of `default`. */
export type StepModel = { [P in keyof ModelParameters]: ModelParameters[P] | undefined } & {
  model?: string | undefined;
};

/**
 * Models by step name: a name, or a model with parameters; "default" applies to steps that are not
 * named.
 */
export type StepModels = Readonly<Record<string, string | StepModel>>;

/**
 * Returns the model and parameters of a step. If `models` has an entry for the step, its
 * parameters are that entry's alone, and its model that of `default` if the entry names none;
 * otherwise all is that of `default`. `parameters` is absent if there are none.
 *
 * @param settings `extraBody` applies to all steps; a step's own body fields override it.
 * @param defaultModel Name of the model if neither names one.
 */
export function modelFor(
  step: string,
  { models, extraBody: ofAll }: { models: StepModels; extraBody?: ExtraBody | undefined },
  defaultModel: string,
): { model: string; parameters?: ModelParameters } {
  const usual = modelSettings(models.default);
  const asked = modelSettings(models[step] ?? models.default);
  const { model = usual.model ?? defaultModel, extraBody: own, ...rest } = asked;
  const extraBody = { ...ofAll, ...own };
  const parameters = { ...rest, ...(hasFields(extraBody) && { extraBody }) };
  const set = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return set.length === 0 ? { model } : { model, parameters: Object.fromEntries(set) };
}

/**
 * Returns the distinct names of models in models by step; `default` is included, steps without a
 * name are not.
 */
export function modelNames(models: StepModels): string[] {
  const named = Object.values(models).map((one) => modelSettings(one).model);
  return [...new Set(named.filter((name) => name !== undefined))];
}

/** The model that judges answers: its name, or a name with parameters. */
export type Judge = string | (StepModel & { model: string });

/** Returns the name of the judge's model. */
export function judgeModel(judge: Judge): string {
  return typeof judge === 'string' ? judge : judge.model;
}

/**
 * A worker's default models and output forms (text or schema) by step, and additional fields of
 * all request bodies, for inputs that do not set them.
 */
export interface StepDefaults {
  models?: StepModels | undefined;
  outputs?: StepOutputs | undefined;
  extraBody?: ExtraBody | undefined;
}

/**
 * Returns a copy of an input completed by a worker's defaults. Settings of the input take
 * precedence: for models and output forms by step, for body fields as a whole.
 */
export function withStepDefaults<I extends StepDefaults & { models: StepModels }>(
  input: I,
  { models, outputs, extraBody }: StepDefaults = {},
): I {
  return {
    ...input,
    models: { ...models, ...input.models },
    ...((outputs || input.outputs) && { outputs: { ...outputs, ...input.outputs } }),
    ...(extraBody && !input.extraBody && { extraBody }),
  };
}

/** Returns whether there is at least one additional body field. */
export function hasFields(extraBody: ExtraBody | undefined): extraBody is ExtraBody {
  return extraBody !== undefined && Object.keys(extraBody).length > 0;
}

function modelSettings(model: string | StepModel | undefined): StepModel {
  return typeof model === 'string' ? { model } : (model ?? {});
}

/** The forms in which a step can ask for its output: "text" and "schema". */
export const OUTPUT_FORMS = ['text', 'schema'] as const;

/**
 * The form of a step's output: "text" as in the papers, or "schema" for JSON whose schema the
 * endpoint enforces.
 */
export type OutputForm = (typeof OUTPUT_FORMS)[number];

/** Output forms by step name; "default" applies to steps that are not named. */
export type StepOutputs = Readonly<Record<string, OutputForm>>;

/** Returns the output form of a step: its own, or else that of `default`, or else "text". */
export function outputFor(step: string, outputs: StepOutputs | undefined): OutputForm {
  return outputs?.[step] ?? outputs?.default ?? 'text';
}

/**
 * The name of the prompt set of all steps, or names by step; "default" applies to steps that are
 * not named.
 */
export type StepPrompts = string | Readonly<Record<string, string>>;

const DEFAULT_PROMPTS = 'default';

/**
 * Returns the name of the prompt set of a step: its own, or else that of `default`, or else
 * "default".
 */
export function promptsFor(step: string, prompts: StepPrompts): string {
  if (typeof prompts === 'string') return prompts;
  return prompts[step] ?? prompts.default ?? DEFAULT_PROMPTS;
}

/**
 * Returns the prompt sets with each name replaced by the result of a function. If sets are given
 * by step without `default`, the built-in default set is replaced and added as `default`.
 */
export async function mapPromptSets(
  prompts: StepPrompts,
  other: (set: string) => Promise<string>,
): Promise<StepPrompts> {
  if (typeof prompts === 'string') return other(prompts);
  const sets = Object.entries({ default: DEFAULT_PROMPTS, ...prompts });
  const others = sets.map(async ([step, set]) => [step, await other(set)] as const);
  return Object.fromEntries(await Promise.all(others));
}

/**
 * Returns the prompt sets as text for people, the default first: "mine", or "default, validate
 * mine".
 */
export function promptsText(prompts: StepPrompts): string {
  return byStepText(typeof prompts === 'string' ? { default: prompts } : prompts, DEFAULT_PROMPTS);
}

/**
 * Returns the output forms as text for people, the default first: "schema", or "text, validate
 * schema".
 */
export function outputsText(outputs: StepOutputs = {}): string {
  return byStepText(outputs, 'text');
}

function byStepText(named: Readonly<Record<string, string>>, otherwise: string): string {
  const { default: usual = otherwise, ...steps } = named;
  const others = Object.entries(steps).filter(([, one]) => one !== usual);
  return [usual, ...others.map(([step, one]) => `${step} ${one}`).sort()].join(', ');
}
