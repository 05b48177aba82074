/**
 * Lists the commands in the order and under the headings of the help. Each loads its code when
 * called.
 */
import type { DeclaredCommand } from '../define-command.js';
import { data } from './data.js';
import { evaluate } from './evaluate.js';
import { operate } from './operate.js';
import { storedRuns, underWay } from './runs.js';
import { start } from './start.js';

export const COMMANDS: Readonly<Record<string, readonly DeclaredCommand[]>> = {
  Evaluate: evaluate,
  'While a run is under way': underWay,
  'Stored runs': storedRuns,
  Start: start,
  Data: data,
  Operate: operate,
};
