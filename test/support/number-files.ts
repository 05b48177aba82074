/** A command line with a file of questions by number, and a model that answers them by the prompt. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type CommandLine, commandLine, type Running } from './command-line.js';
import { type ModelServer, startModelServer } from './model-server.js';
import { promptOf } from './telephone.js';

/**
 * @param isRight Whether a question is answered rightly, by its number and what it is asked with.
 * @returns `file`: its questions, each with a passage.
 */
export async function numberFiles(
  questions: number,
  isRight: (number: number, prompt: string) => boolean,
): Promise<{ cli: CommandLine; server: ModelServer; file: string; worker(): Promise<Running> }> {
  const server = await startModelServer({
    reply: (request) => {
      const prompt = promptOf(request);
      const number = Number(/number (\d+)\?/.exec(prompt)?.[1]);
      return { text: isRight(number, prompt) ? 'Bell' : 'Gray' };
    },
  });
  onTestFinished(() => server.close());
  const cli = await commandLine(server.baseUrl);
  onTestFinished(() => cli.remove());
  const file = join(cli.home, 'numbers.jsonl');
  const lines = Array.from({ length: questions }, (_, i) =>
    JSON.stringify({
      ...{ id: `${i}`, question: `Who was number ${i}?`, answers: ['Bell'] },
      passages: [{ title: 'Bell', text: PASSAGE }],
    }),
  );
  await writeFile(file, `${lines.join('\n')}\n`);
  const worker = async () => {
    const started = cli.start(['worker']);
    onTestFinished(async () => {
      started.child.kill('SIGINT');
      await started.finished;
    });
    await started.says('polls');
    return started;
  };
  return { cli, server, file, worker };
}

const PASSAGE = 'Bell was a number.';

/** Nearly always right with a passage, without one on every third question. */
export function rightWithPassage(number: number, prompt: string): boolean {
  return prompt.includes(PASSAGE) ? number % 10 !== 9 : number % 3 === 0;
}
