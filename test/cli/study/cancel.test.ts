/** `study cancel`: what it prints, and what it refuses. */
import { expect, it, vi } from 'vitest';
import { workerSession } from '../../../cli/session.js';
import { cancelStudy } from '../../../cli/study/run-study.js';
import { cliContext } from '../../support/cli-context.js';

vi.mock('../../../cli/session.js');

/** Lets commands meet a study that stands so. */
function study(state: string) {
  const handle = { progress: async () => ({ state }), cancel: vi.fn(), result: async () => ({}) };
  const session = { client: { getStudy: async () => handle }, close: async () => {} };
  vi.mocked(workerSession).mockResolvedValue(session as never);
  return handle;
}

it('gives JSON as every command that stops or deletes something', async () => {
  const { cancel } = study('paused');
  const { value } = await cancelStudy('nightly', cliContext());
  expect(value).toEqual({ study: 'nightly', cancelled: true });
  expect(cancel).toHaveBeenCalledOnce();
});

it('is refused once the study is finished', async () => {
  const { cancel } = study('finished');
  await expect(cancelStudy('nightly', cliContext())).rejects.toMatchObject({ type: 'Conflict' });
  expect(cancel).not.toHaveBeenCalled();
});
