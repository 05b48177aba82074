/** Texts that grow by turns are kept in pieces, and read whole. */
import { expect, it } from 'vitest';
import { Failure } from '../../core/failure.js';
import { contentStore } from '../../stores/content-store.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { PlannedTranscripts, Transcripts } from '../../stores/transcripts.js';

/** A store that counts what is read of it. */
function countingStore() {
  const texts = contentStore(new MemoryStore());
  const reads: string[] = [];
  return {
    reads,
    put: texts.put,
    get(id: string) {
      reads.push(id);
      return texts.get(id);
    },
  };
}

async function grown(transcripts: Transcripts, pieces: readonly string[]) {
  let key: string | null = null;
  for (const piece of pieces) key = await transcripts.add(key, piece);
  return key;
}

it('gives the whole text by the key of its last piece, on another worker too', async () => {
  const store = countingStore();
  const key = await grown(new Transcripts(store), ['Who?', '', ' Bell', ' did.']);
  expect(await new Transcripts(store).text(key)).toBe('Who? Bell did.');
  expect(await new Transcripts(store).text(null)).toBe('');
});

it('goes on with a text without reading it again', async () => {
  const store = countingStore();
  const transcripts = new Transcripts(store);
  const pieces = Array.from({ length: 50 }, (_, i) => `turn ${i}\n`);
  const key = await grown(transcripts, pieces);
  expect(await transcripts.text(key)).toBe(pieces.join(''));
  expect(store.reads).toEqual([]);
});

it('has one key for equal texts of equal pieces, and several ends of one beginning', async () => {
  const store = countingStore();
  const transcripts = new Transcripts(store);
  const begun = await transcripts.add(null, 'Who? ');
  const [one, other] = [await transcripts.add(begun, 'Bell'), await transcripts.add(begun, 'Gray')];
  expect(await transcripts.add(begun, 'Bell')).toBe(one);
  expect([await transcripts.text(one), await transcripts.text(other)]).toEqual([
    'Who? Bell',
    'Who? Gray',
  ]);
});

it('says which piece is not in the store', async () => {
  const key = await grown(new Transcripts(countingStore()), ['Who?', ' Bell']);
  const reading = new Transcripts(countingStore()).text(key);
  await expect(reading).rejects.toThrow(Failure);
  await expect(reading).rejects.toMatchObject({ type: 'UnknownText', message: /under t-/ });
});

it('plans on with what a store has, and writes nothing there', async () => {
  const store = contentStore(new MemoryStore());
  const kept = await new Transcripts(store).add(null, 'Who?');
  const plan = new PlannedTranscripts(store);
  const key = await plan.add(kept, ' Bell');
  expect(await plan.text(key)).toBe('Who? Bell');
  expect(plan.lengthOf(key ?? '')).toBe(9);
  await expect(new Transcripts(store).text(key)).rejects.toMatchObject({ type: 'UnknownText' });
  // Without a store nothing is known of it.
  expect(await new PlannedTranscripts().text(kept)).toBe('');
});
