/** What a masked part of the question must be, if a candidate is its answer (SuRe 4.1, Weng et al.). */
import { declareStep } from '../define.js';

export interface RecoverConditionInput {
  /** The question with the part masked. */
  masked: string;
  /** Position of the part. */
  condition: number;
  candidate: string;
  /** Ids, in the order shown. */
  passages: string[];
}

/** Null when the output stayed unreadable: the part is not recovered. */
export const recoverCondition = declareStep<RecoverConditionInput, string | null>(
  ({ candidate, condition }) => `part ${condition + 1} from: ${candidate}`,
);
