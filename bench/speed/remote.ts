/** Processes of their own that answer requests, so that the CPU and memory of each can be told apart. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export interface Remote<Request, Reply> {
  pid: number | undefined;
  ask(request: Request): Promise<Reply>;
  stop(): Promise<void>;
}

interface Envelope<Body> {
  id: number;
  body: Body;
}

/**
 * Starts a script of this folder that calls `serve`, and waits until it does.
 *
 * @throws when it ends before that.
 */
export async function startRemote<Request, Reply>(
  script: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Remote<Request, Reply>> {
  const child = fork(new URL(script, import.meta.url), {
    env: { ...process.env, ...env },
    execArgv: ['--expose-gc', '--enable-source-maps'],
  });
  const ended = new Promise<never>((_, fail) => {
    child.once('exit', (code) => fail(new Error(`${script} ended with code ${code}.`)));
  });
  ended.catch(() => {});
  await Promise.race([once(child, 'message'), ended]);

  let asked = 0;
  return {
    pid: child.pid,
    async ask(body) {
      const id = ++asked;
      const reply = replyTo<Reply>(child, id);
      child.send({ id, body } satisfies Envelope<Request>);
      return Promise.race([reply, ended]);
    },
    async stop() {
      if (child.exitCode !== null) return;
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };
}

/** In the process itself: answers its parent, and ends when the parent lets go of it. */
export function serve<Request, Reply>(
  answer: (request: Request) => Promise<Reply> | Reply,
  stop: () => Promise<void> | void,
): void {
  process.on('message', async ({ id, body }: Envelope<Request>) => {
    process.send?.({ id, body: await answer(body) } satisfies Envelope<Reply>);
  });
  process.once('disconnect', async () => {
    await stop();
    process.exit();
  });
  process.send?.('ready');
}

function replyTo<Reply>(child: ChildProcess, id: number): Promise<Reply> {
  return new Promise((done) => {
    const listen = (reply: Envelope<Reply>) => {
      if (reply.id !== id) return;
      child.off('message', listen);
      done(reply.body);
    };
    child.on('message', listen);
  });
}
