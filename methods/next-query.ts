/** What ITER-RETGEN searches with after an iteration. Pure. */

/** The output before the question, as one line; the question alone where the output says nothing. */
export function nextQuery(question: string, output: string): string {
  return `${output} ${question}`.replace(/\s+/g, ' ').trim();
}
