/** The next questions of a training-data job, without those that have a result. */
import { fileName } from '../../results/file-results.js';
import { type QuestionPage, readPage } from '../page.js';
import { type JobQuestion, jobFolder } from './job-folder.js';

export interface PageInput {
  out: string;
  /** Where in the question file to go on; 0 for its start. */
  offset: number;
}

/** Those to be asked, each with a name that is safe in workflow ids. */
export interface Page extends QuestionPage<JobQuestion & { name: string }> {
  /** How many were passed over, since they have a result that is not a failure. */
  kept: number;
}

export async function readJobPage({ out, offset }: PageInput): Promise<Page> {
  const folder = jobFolder(out);
  let kept = 0;
  const page = await readPage(folder.questions(offset), offset, async (question) => {
    const result = (await folder.results.get(question.id))?.result;
    if (!result || result.outcome === 'failed') return { ...question, name: fileName(question.id) };
    kept++;
    return undefined;
  });
  return { ...page, kept };
}
