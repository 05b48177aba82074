/** Every step that asks a model, as a worker carries it out. Pure. */
import type { Implementation } from './define.js';
import * as implemented from './implemented.js';
import type { declaredSteps, StepName } from './table.js';

type Declared = typeof declaredSteps;

/** Both halves of each: what is declared is carried out as declared, and nothing else is. */
type ModelSteps = {
  [S in StepName | keyof typeof implemented]: S extends StepName
    ? Implementation<Declared[S]>
    : never;
};

export const modelSteps: ModelSteps = implemented;
