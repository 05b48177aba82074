/** Writes the fine-tuning files of a training-data job from the results in its folder. */
import { sampler } from '../../methods/sampler.js';
import {
  chatLine,
  type Loss,
  type Target,
  targetOf,
  weightedLine,
} from '../../methods/training-examples.js';
import type { KeptQuestion, TrainingJob, TrainingSummary } from '../../methods/training-job.js';
import { addUsage, noUsage } from '../../methods/usage.js';
import { writeAtomically } from '../../results/atomic-file.js';
import type { Ports } from '../ports.js';
import { renderPrompt } from '../run-model-step.js';
import { takeNotes } from '../take-notes.js';
import { type JobFolder, type JobQuestion, jobFolder } from './job-folder.js';

/**
 * Counts what there is and writes every complete example, in the order of the data set: the prompt
 * of the single call without examples, and notes with answer as its reply. Half of them, chosen by
 * the seed, are for the loss on notes and answer, the rest for the loss on the answer (3.3.3).
 */
export async function exportExamples(
  job: TrainingJob,
  ports: Ports,
  signal: AbortSignal,
): Promise<TrainingSummary> {
  const folder = jobFolder(job.out);
  const summary = await count(folder, signal);
  const wholeLoss = () =>
    sampler(`${job.seed}/loss`, Math.ceil(summary.examples / 2), summary.examples);

  async function write(file: string, line: (example: Example, loss: Loss) => string) {
    const takesWhole = wholeLoss();
    await writeAtomically(file, async (append) => {
      for await (const example of examples(folder, job, ports, signal)) {
        await append(line(example, takesWhole() ? 'notes-and-answer' : 'answer'));
      }
    });
  }
  await write(folder.files.chat, ({ prompt, target }) => chatLine(prompt, target));
  await write(folder.files.weighted, ({ id, prompt, target }, loss) =>
    weightedLine(id, prompt, target, loss),
  );
  return summary;
}

interface Example {
  id: string;
  prompt: string;
  target: Target;
}

async function* examples(
  folder: JobFolder,
  { prompts, corpus }: TrainingJob,
  ports: Ports,
  signal: AbortSignal,
): AsyncGenerator<Example> {
  for await (const { question: asked, kept } of withResults(folder, signal)) {
    const result = kept?.result;
    const target = result && targetOf(result);
    if (!result?.chain || !target) continue;
    const { id, question } = asked;
    const passages = result.chain.passages.map((passage) => passage.id);
    const { content } = await renderPrompt(
      takeNotes,
      { question, passages, examples: false },
      { prompts, corpus: asked.passages ? null : corpus, attempt: 0 },
      ports,
    );
    yield { id, prompt: content, target };
  }
}

async function count(folder: JobFolder, signal: AbortSignal): Promise<TrainingSummary> {
  const counts = { questions: 0, examples: 0, unknown: 0, incomplete: 0, unreadable: 0, failed: 0 };
  let usage = noUsage;
  for await (const { kept } of withResults(folder, signal)) {
    const result = kept?.result;
    counts.questions++;
    if (result) usage = addUsage(usage, result.usage);
    if (!result || result.outcome === 'failed') counts.failed++;
    else if (result.outcome === 'unreadable') counts.unreadable++;
    else if (!targetOf(result)) counts.incomplete++;
    else {
      counts.examples++;
      if (result.outcome === 'unknown') counts.unknown++;
    }
  }
  return { ...counts, usage, files: folder.files };
}

async function* withResults(
  folder: JobFolder,
  signal: AbortSignal,
): AsyncGenerator<{ question: JobQuestion; kept: KeptQuestion | undefined }> {
  for await (const { question } of folder.questions(0)) {
    signal.throwIfAborted();
    yield { question, kept: await folder.results.get(question.id) };
  }
}
