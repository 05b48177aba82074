/** Reads questions that stand in a test, as a run reads those of a data set. */
import { readGiven } from '../../evaluation/dataset/read-dataset.js';
import { type ReadSubset, takeSubset } from '../../evaluation/dataset/subset.js';

export function givenQuestions(lines: readonly object[]): ReadSubset {
  return (subset) => takeSubset(() => readGiven(lines, { scorable: false }), subset);
}
