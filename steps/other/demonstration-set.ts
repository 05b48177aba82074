/** Finds a stored demonstration set by its name, so that all of a question uses the same one. */

import { declareStep } from '../define.js';

export interface DemonstrationSetInput {
  name: string;
}

export const demonstrationSet = declareStep<DemonstrationSetInput, DemonstrationSetRef>(
  ({ name }) => name,
);

/** A stored demonstration set as a question uses it. */
export interface DemonstrationSetRef {
  /** Made from its content: a name can be given to another set later. */
  id: string;
  clusters: number;
}
