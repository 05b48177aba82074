/** Finds a stored demonstration set by its name, so that all of a question uses the same one. */
import type { DemonstrationSetRef } from '../../methods/genread.js';
import { declareStep } from '../define.js';

export interface DemonstrationSetInput {
  name: string;
}

export const demonstrationSet = declareStep<DemonstrationSetInput, DemonstrationSetRef>(
  ({ name }) => name,
);
