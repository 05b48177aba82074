/** The next questions of a training-data job, without those that have a result. */
import { fileName } from '../../results/file-results.js';
import { type JobQuestion, jobFolder } from './job-folder.js';

export interface PageInput {
  out: string;
  /** Where in the question file to go on; 0 for its start. */
  offset: number;
}

export interface Page {
  /** Those to be asked, each with a name that is safe in workflow ids. */
  questions: (JobQuestion & { name: string })[];
  /** How many were passed over, since they have a result that is not a failure. */
  kept: number;
  /** Where the next page begins; null after the last. */
  next: number | null;
}

/** So that the history of a window over one page stays far below what Temporal allows. */
const MOST_QUESTIONS = 300;
const MOST_BYTES = 500_000;

export async function readPage({ out, offset }: PageInput): Promise<Page> {
  const folder = jobFolder(out);
  const page: Page = { questions: [], kept: 0, next: null };
  let bytes = 0;
  let before = offset;
  for await (const { question, end } of folder.questions(offset)) {
    if (page.questions.length === MOST_QUESTIONS || bytes > MOST_BYTES) {
      return { ...page, next: before };
    }
    const result = (await folder.results.get(question.id))?.result;
    if (result && result.outcome !== 'failed') {
      page.kept++;
    } else {
      page.questions.push({ ...question, name: fileName(question.id) });
      bytes += end - before;
    }
    before = end;
  }
  return page;
}
