/** A command line with a file of questions by number, and a model that answers them by the prompt. */
import { commandLineOver } from './command-line.js';
import { promptOf } from './telephone.js';

/**
 * @param isRight Whether a question is answered rightly, by its number and what it is asked with.
 * @returns `file`: its questions, each with a passage.
 */
export async function numberFiles(
  questions: number,
  isRight: (number: number, prompt: string) => boolean,
) {
  const { server, cli } = await commandLineOver((request) => {
    const prompt = promptOf(request);
    const number = Number(/number (\d+)\?/.exec(prompt)?.[1]);
    return { text: isRight(number, prompt) ? 'Bell' : 'Gray' };
  });
  const records = Array.from({ length: questions }, (_, i) => ({
    id: `${i}`,
    question: `Who was number ${i}?`,
    answers: ['Bell'],
    passages: [{ title: 'Bell', text: PASSAGE }],
  }));
  const file = await cli.write('numbers.jsonl', ...records);
  return { cli, server, file };
}

const PASSAGE = 'Bell was a number.';

/** Nearly always right with a passage, without one on every third question. */
export function rightWithPassage(number: number, prompt: string): boolean {
  return prompt.includes(PASSAGE) ? number % 10 !== 9 : number % 3 === 0;
}
